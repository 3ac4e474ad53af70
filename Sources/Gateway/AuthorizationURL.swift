internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardRouting

/// The address that sends a browser to the issuer for one request.
enum AuthorizationURL {
    /// nil with completion `response` and no challenge: then the app composes its own.
    static func compose(
        _ secrets: RequestSecrets, scope: Scopes, redirectURI: RedirectURI, app: AppRegistration,
        _ metadata: IssuerMetadata, _ profile: IssuerProfile
    ) -> String? {
        let challenge = secrets.challenge ?? secrets.verifier.flatMap { PKCE(verifier: $0)?.challenge }
        guard let challenge else { return nil }
        var request = AuthorizationRequest(
            authorizationEndpoint: metadata.authorizationEndpoint, clientID: app.clientID, redirectURI: redirectURI,
            scope: scope, state: secrets.state, codeChallenge: challenge, nonce: secrets.nonce,
            responseMode: app.responseMode.requested, profile: profile)
        request.stepUp = StepUp(in: secrets.parameters)
        for parameter in secrets.parameters where !StepUp.names.contains(parameter.name) {
            switch parameter.name {
            case "prompt": request.prompt = parameter.value
            case "login_hint": request.loginHint = parameter.value
            case "domain_hint": request.domainHint = parameter.value
            case "claims": request.claims = parameter.value
            default: request.extra.append((parameter.name, parameter.value))
            }
        }
        return request.url
    }
}
