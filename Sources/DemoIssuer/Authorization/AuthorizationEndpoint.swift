package import SwitchyardHTTP
internal import SwitchyardOAuth

/// The authorization endpoint with its consent page (RFC 6749 section 3.1).
package struct AuthorizationEndpoint: Sendable {
    let clients: ClientRegistry
    let grants: GrantStore
    let consents: ConsentStore
    /// For responses that are asked to be signed.
    let keys: SigningKeys
    let scopeRules: ScopeRules
    /// Whether requests are approved without a page.
    let autoApprove: Bool

    /// The person's decision on a request.
    package enum Decision: Sendable {
        case grant(DemoUser)
        case refuse(AuthorizationRefusal)
        /// The person has not decided yet: the consent page asks.
        case ask
    }

    /// The result of a request.
    package enum Outcome {
        /// A page for the person: the question, or the reason why the client gets no answer.
        case page(Response)
        /// Back to the client.
        case answer(AuthorizationAnswer)
    }

    /// The request of the client, by GET or POST (OpenID Connect Core section 3.1.2.1), or the decision on the consent
    /// page, which carries the parameters of that request with it. They are checked again then.
    func respond(to request: Request, at address: IssuerAddress, isDecision: Bool) -> Response {
        switch outcome(of: request, at: address, decide: { isDecision ? decision(onPage: $0) : decision(on: $0) }) {
        case .page(let page): page
        case .answer(let answer):
            Self.send(answer, after: request) { () throws(DemoIssuerError) in try answer.content(keys) }
        }
    }

    /// Reads the request, lets `decide` have its say, and carries that out.
    package func outcome(
        of request: Request, at address: IssuerAddress, decide: (AuthenticationRequest) -> Decision
    ) -> Outcome {
        let parameters: RequestParameters
        let returnAddress: ReturnAddress
        do throws(RequestParameters.ReadingError) {
            let isPost = request.method == .post
            parameters = try RequestParameters(isPost ? request.body : Array(request.queryBytes ?? []))
        } catch {
            return .page(ErrorPage.response(error.rawValue))
        }
        do throws(ReturnAddress.AddressError) {
            returnAddress = try ReturnAddress(parameters)
        } catch {
            return .page(ErrorPage.response(error.rawValue))
        }
        let issuer = address.issuerInResponses
        do throws(AuthorizationRefusal) {
            let isPublic = clients.secret(of: returnAddress.clientID) == nil
            let authentication = try AuthenticationRequest(parameters, returnAddress, requiresChallenge: isPublic)
            switch decide(authentication) {
            case .ask: return .page(consentPage(authentication, address))
            case .refuse(let refusal): throw refusal
            case .grant(let user):
                consents.add(scopeRules.ofAPIsAndPeople(authentication.scopes), by: user, to: returnAddress.clientID)
                let code = grants.issueCode(for: authentication.grant(to: user))
                return .answer(AuthorizationAnswer(code: code, to: returnAddress, issuer: issuer))
            }
        } catch {
            return .answer(AuthorizationAnswer(error, to: returnAddress, issuer: issuer))
        }
    }

    /// The decision before the person was asked.
    package func decision(on authentication: AuthenticationRequest) -> Decision {
        if autoApprove { return .grant(DemoUser(named: authentication.loginHint)) }
        return authentication.forbidsInteraction ? .refuse(.loginRequired) : .ask
    }

    /// The person's decision on the page.
    package func decision(onPage authentication: AuthenticationRequest) -> Decision {
        let parameters = authentication.parameters
        guard parameters[ConsentPage.decisionField] == ConsentPage.approval else { return .refuse(.accessDenied) }
        return .grant(DemoUser(named: parameters[ConsentPage.userField]))
    }

    /// - Parameter content: what is carried to the client.
    package static func send(
        _ answer: AuthorizationAnswer, after request: Request,
        _ content: () throws(DemoIssuerError) -> [(String, String)]
    ) -> Response {
        do throws(DemoIssuerError) {
            // After a POST it must be 303 (RFC 9700 section 4.12).
            return answer.response(try content(), redirectingWith: request.method == .post ? .seeOther : .found)
        } catch {
            return .text(.internalServerError, error.description)
        }
    }

    private func consentPage(_ authentication: AuthenticationRequest, _ address: IssuerAddress) -> Response {
        ConsentPage(
            clientName: clients.name(of: authentication.returnAddress.clientID),
            redirectURI: authentication.returnAddress.redirectURI.text,
            scopes: scopeRules.ofAPIsAndPeople(authentication.scopes).names,
            suggestedUser: authentication.loginHint ?? DemoUser.standard.name,
            action: address.url(of: .consent),
            parameters: authentication.parameters.pairs
        ).response
    }
}
