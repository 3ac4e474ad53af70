internal import SwitchyardOAuth
internal import SwitchyardRouting

extension AppDecoder {
    /// What only an app with pending requests has.
    struct Policy {
        var release = ReleasePolicy.code
        var defaultScope = Scopes(parsing: "")
        var authentication = ClientAuthentication.none
        var beginFrom: BeginFrom?
        var responseMode = ResponseMode.query
        var requiresStart = false
        var returnURI: RedirectURI?
        var relayFrom: RelayFrom?
    }

    /// - Parameter redirects: nil when they are wrong, which has been reported.
    /// - Returns: nil when something in it is wrong, which is reported.
    func pendingPolicy(_ handler: HandlerKind, _ redirects: [RedirectURI]?) -> Policy? {
        guard handler == .pending else {
            reader.refuse(
                [
                    .release, .defaultScope, .tokenEndpointAuthMethod, .clientSecret, .clientSecretFile, .beginFrom,
                    .responseMode, .requireStart, .returnURI, .relayFrom,
                ], because: "a redirect handler holds no request and redeems nothing")
            return Policy()
        }
        // All of them are read, whatever is wrong with one: all errors are reported at once.
        let release = self.release()
        let scope = reader[.defaultScope].flatMap { defaultScope($0) }
        let authentication = self.authentication()
        let beginFrom = reader[.beginFrom].flatMap { self.beginFrom($0) }
        let mode = responseMode(redirects)
        let requiresStart = self.requiresStart(redirects)
        let returnURI = release.flatMap { self.returnURI($0) }
        let relayFrom = self.relayFrom(release, redirects)
        guard let release, let authentication, let mode else { return nil }
        if authentication != .none, reader[.beginFrom] == nil {
            context.error(
                at: reader.mark(of: .id), "an app with client authentication that anyone may use",
                "write begin_from: with uids, networks, client_certificates or api_key_file, to say who may begin with "
                    + "its secret")
        }
        return Policy(
            release: release, defaultScope: scope ?? Scopes(parsing: ""), authentication: authentication,
            beginFrom: beginFrom, responseMode: mode, requiresStart: requiresStart, returnURI: returnURI,
            relayFrom: relayFrom)
    }

    private func defaultScope(_ node: YAMLNode) -> Scopes? {
        context.value(node, "write scopes in one text, separated by spaces: \"openid profile\"") {
            Scopes(validating: $0)
        }
    }
}
