internal import SwitchyardJSON
internal import SwitchyardOAuth

/// An authorization request that can be granted (RFC 6749 section 4.1.1, OpenID Connect Core section 3.1.2.1).
struct AuthenticationRequest: Sendable {
    let returnAddress: ReturnAddress
    let scopes: Scopes
    let nonce: String?
    /// nil only for a confidential client.
    let codeChallenge: String?
    let loginHint: String?
    /// Whether the client wants no page (`prompt=none`).
    let forbidsInteraction: Bool
    /// nil when there is none (OpenID Connect Core section 5.5).
    let claimsRequest: JSONObject?
    let wantsClientInfo: Bool
    let misbehaviors: Misbehaviors

    /// - Parameter requiresChallenge: for public clients, which have nothing else to prove that the code is theirs.
    init(
        _ parameters: RequestParameters, _ returnAddress: ReturnAddress, requiresChallenge: Bool
    ) throws(AuthorizationRefusal) {
        guard parameters["response_type"] == "code" else { throw .unsupportedResponseType }
        guard let scopes = Scopes(validating: parameters["scope"] ?? "") else { throw .invalidScope }
        guard let misbehaviors = Misbehaviors(parameter: parameters["demo"], scopes: scopes.names) else {
            throw .unknownMisbehavior
        }
        self.returnAddress = returnAddress
        self.scopes = scopes
        self.misbehaviors = misbehaviors
        codeChallenge = try Self.challenge(parameters, isRequired: requiresChallenge)
        do throws(ClaimsRequest.Unreadable) {
            claimsRequest = try ClaimsRequest.read(parameters)
        } catch {
            throw .invalidClaims
        }
        wantsClientInfo = TokenRequest.wantsClientInfo(parameters)
        nonce = parameters["nonce"]
        loginHint = parameters["login_hint"]
        forbidsInteraction = parameters["prompt"] == "none"
    }

    /// Without those that ask for a misbehavior, which are of this sign-in only.
    var consentedScopes: Scopes {
        Scopes(parsing: scopes.names.filter { !Misbehaviors.isRequested(byScope: $0) }.joined(separator: " "))
    }

    func grant(to user: DemoUser) -> Grant {
        Grant(
            clientID: returnAddress.clientID, redirectURI: returnAddress.redirectURI.text, scopes: scopes, nonce: nonce,
            codeChallenge: codeChallenge, user: user, claimsRequest: claimsRequest, wantsClientInfo: wantsClientInfo,
            misbehaviors: misbehaviors)
    }

    private static func challenge(
        _ parameters: RequestParameters, isRequired: Bool
    ) throws(AuthorizationRefusal) -> String? {
        guard let challenge = parameters["code_challenge"] else {
            if isRequired || parameters["code_challenge_method"] != nil { throw .invalidChallenge }
            return nil
        }
        // Without a method it would be `plain` (RFC 7636 section 4.3).
        guard parameters["code_challenge_method"] == "S256", PKCE.isChallenge(challenge) else {
            throw .invalidChallenge
        }
        return challenge
    }
}
