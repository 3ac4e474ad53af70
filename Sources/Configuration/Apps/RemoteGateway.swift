internal import SwitchyardCrypto
internal import SwitchyardOAuth
internal import SwitchyardRouting

extension AppDecoder {
    private enum GatewayKey: String, ConfigurationKey {
        case url
        case ca
        case apiKeyFile = "api_key_file"
        case certificate
        case key
    }

    /// Reads the gateway that carries an app's https callbacks to its agent: an address, or `{ url: …, … }` with
    /// credentials for it. Reports errors.
    /// - Parameter redirects: nil if they are wrong, which has been reported.
    func gateway(_ node: YAMLNode, _ redirects: [RedirectURI]?) -> RemoteGateway? {
        if let redirects, !redirects.contains(where: { if case .https = $0.form { true } else { false } }) {
            context.error(
                at: self.reader.mark(of: .gateway), "nothing to carry: this app has no https redirect URI",
                "list the one that this gateway has for the app, or leave gateway out")
        }
        guard case .mapping = node.content else {
            return gatewayURL(node).map { RemoteGateway(url: $0) }
        }
        guard let reader = MappingReader<GatewayKey>(node, in: context) else { return nil }
        let authority = reader[.ca].map { context.authorities($0) }
        let key = reader[.apiKeyFile].map { apiKey($0) }
        let isShown = reader[.certificate] != nil || reader[.key] != nil
        let identity = reader.clientIdentity(.certificate, .key)
        let url = reader.required(.url, Self.gatewayRemedy).flatMap { gatewayURL($0) }
        guard let url, authority != .some(nil), key != .some(nil), !isShown || identity != nil else { return nil }
        return RemoteGateway(
            url: url, trustAnchor: authority??.path, apiKey: key ?? nil, identity: identity)
    }

    /// The one that the gateway's `begin_from` knows.
    private func apiKey(_ node: YAMLNode) -> Secret? {
        guard let key = context.secretFile(node) else { return nil }
        guard key.exposedBytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            context.error(
                at: node.mark, "what is in this file is no API key: one line of visible ASCII",
                "write one of the keys into it that the app's begin_from has at the gateway")
            return nil
        }
        return key
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
    func checkGateways(_ carried: [DecodedApp]) {
        guard !isForAgent else { return }
        for app in Self.byFile(carried).compactMap(\.first) {
            log.error(
                at: app.place(app.gatewayMark),
                "\"\(app.registration.id)\" has a gateway, in the configuration of one",
                "leave gateway out; it is for the apps of a desktop's agent (`switchyard agent`)")
        }
    }
}
