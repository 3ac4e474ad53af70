internal import SwitchyardHTTP
internal import SwitchyardOAuth

/// The authorization endpoint with its consent page (RFC 6749 section 3.1).
struct AuthorizationEndpoint: Sendable {
    let clients: ClientRegistry
    let grants: GrantStore
    let consents: ConsentStore
    /// For responses that are asked to be signed.
    let signer: JWTSigner
    let statistics: Statistics
    /// Whether nobody is asked.
    let autoApprove: Bool

    /// The request of the client, by GET or POST (OpenID Connect Core section 3.1.2.1).
    func respond(to request: Request, at address: IssuerAddress) -> Response {
        statistics.count(.authorizationRequests)
        let isPost = request.method == .post
        let bytes = isPost ? request.body : Array(request.queryBytes ?? [])
        return answer(bytes, status: isPost ? .seeOther : .found, address) { authentication, parameters in
            if authentication.misbehaviors.authorization.contains(.deny) { return .failure(.accessDenied) }
            if authentication.misbehaviors.authorization.contains(.cancel) { return .failure(.canceled) }
            if autoApprove || authentication.misbehaviors.authorization.contains(.auto) {
                return .success(.grant(DemoUser(named: authentication.loginHint)))
            }
            if authentication.forbidsInteraction { return .failure(.loginRequired) }
            return .success(.ask(consentPage(authentication, parameters, address)))
        }
    }

    /// The decision on the consent page, which carries the parameters of the request with it. They are checked again.
    func decide(_ request: Request, at address: IssuerAddress) -> Response {
        answer(request.body, status: .seeOther, address) { _, parameters in
            guard parameters[ConsentPage.decisionField] == ConsentPage.approval else { return .failure(.accessDenied) }
            return .success(.grant(DemoUser(named: parameters[ConsentPage.userField])))
        }
    }

    private enum Decision {
        case grant(DemoUser)
        case ask(Response)
    }

    /// Reads the request, lets `decide` have its say, and sends the outcome back to the client.
    private func answer(
        _ bytes: [UInt8], status: Status, _ address: IssuerAddress,
        decide: (AuthenticationRequest, RequestParameters) -> Result<Decision, AuthorizationRefusal>
    ) -> Response {
        let parameters: RequestParameters
        let returnAddress: ReturnAddress
        do throws(RequestParameters.Problem) {
            parameters = try RequestParameters(bytes)
        } catch {
            return ErrorPage.response(error.rawValue)
        }
        do throws(ReturnAddress.Problem) {
            returnAddress = try ReturnAddress(parameters)
        } catch {
            return ErrorPage.response(error.rawValue)
        }
        do throws(AuthorizationRefusal) {
            let isPublic = clients.secret(of: returnAddress.clientID) == nil
            let authentication = try AuthenticationRequest(parameters, returnAddress, requiresChallenge: isPublic)
            let misbehaviors = authentication.misbehaviors
            switch decide(authentication, parameters) {
            case .success(.ask(let page)): return page
            case .success(.grant(let user)):
                consents.add(authentication.consentedScopes, by: user, to: returnAddress.clientID)
                let code = grants.issueCode(for: authentication.grant(to: user))
                statistics.count(.codesIssued)
                return send(
                    AuthorizationAnswer(code: code, to: returnAddress, issuer: address.issuerInResponses, misbehaviors),
                    status)
            case .failure(let refusal):
                return send(
                    AuthorizationAnswer(refusal, to: returnAddress, issuer: address.issuerInResponses, misbehaviors),
                    status)
            }
        } catch {
            return send(AuthorizationAnswer(error, to: returnAddress, issuer: address.issuerInResponses), status)
        }
    }

    private func send(_ answer: AuthorizationAnswer, _ status: Status) -> Response {
        do throws(DemoIssuerError) {
            return try answer.response(redirectingWith: status, signer)
        } catch {
            return .text(.internalServerError, error.description)
        }
    }

    private func consentPage(
        _ authentication: AuthenticationRequest, _ parameters: RequestParameters, _ address: IssuerAddress
    ) -> Response {
        ConsentPage(
            clientName: clients.name(of: authentication.returnAddress.clientID),
            redirectURI: authentication.returnAddress.redirectURI.text,
            scopes: authentication.consentedScopes.names,
            suggestedUser: authentication.loginHint ?? DemoUser.standard.name,
            action: address.url(of: .consent),
            parameters: parameters.pairs
        ).response
    }
}
