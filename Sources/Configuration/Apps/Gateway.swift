internal import SwitchyardOAuth
internal import SwitchyardRouting

extension AppDecoder {
    private enum GatewayKey: String, ConfigurationKey {
        case url
        case ca
    }

    /// The gateway that carries an app's https callbacks to its agent: an address, or `{ url: …, ca: FILE }`. What is
    /// wrong in it is reported.
    /// - Parameter redirects: nil when they are wrong, which has been reported.
    func gateway(_ node: YAMLNode, _ redirects: [RedirectURI]?) -> RemoteGateway? {
        if let redirects, !redirects.contains(where: { if case .https = $0.form { true } else { false } }) {
            context.error(
                at: self.reader.mark(of: .gateway), "nothing to carry: this app has no https redirect URI",
                "list the one that this gateway has for the app, or leave gateway out")
        }
        guard case .mapping = node.content else {
            return gatewayURL(node).map { RemoteGateway(url: $0, certificateAuthority: nil) }
        }
        guard let reader = MappingReader<GatewayKey>(node, in: context) else { return nil }
        let authority = reader[.ca].map { context.authorities($0) }
        let url = reader.required(.url, Self.gatewayRemedy).flatMap { gatewayURL($0) }
        guard let url, authority != .some(nil) else { return nil }
        return RemoteGateway(url: url, certificateAuthority: authority ?? nil)
    }

    private static let gatewayRemedy =
        "write where its API for apps is, such as https://login.contoso.com:8444; plain http passes on loopback only"

    private func gatewayURL(_ node: YAMLNode) -> String? {
        context.value(node, Self.gatewayRemedy) { text in
            guard !text.utf8.contains(UInt8(ascii: "?")) else { return nil }
            return (try? EndpointURL(text, allowingLoopbackHTTP: true))?.text
        }
    }
}

extension Rules {
    /// A gateway has doors of its own; only an agent has its callbacks brought.
    func checkGateways() {
        guard !isForAgent, let app = apps.first(where: { $0.registration.gateway != nil }) else { return }
        log.error(
            at: app.place(app.gatewayMark), "\"\(app.registration.id)\" has a gateway, in the configuration of one",
            "leave gateway out; it is for the apps of a desktop's agent (`switchyard agent`)")
    }
}
