internal import SwitchyardCrypto
internal import SwitchyardHTTPClient

/// The `outgoing:` mapping: how calls to issuers, webhooks and other gateways leave.
struct OutgoingSection {
    enum Key: String, ConfigurationKey {
        case proxy
        case user
        case passwordFile = "password_file"
        case ca
        case noProxy = "no_proxy"
    }

    private static let environment = "environment"
    private static let remedy = "write \(OutgoingProxy.form), or \(environment)"

    let context: DecodingContext

    /// Direct for a section with errors, which are reported.
    func decode(_ node: YAMLNode) -> OutgoingRoute {
        guard let reader = MappingReader<Key>(node, in: context) else { return .direct }
        let user = reader[.user].flatMap { self.user($0) }
        if reader[.passwordFile] != nil, reader[.user] == nil {
            context.error(
                at: reader.mark(of: .passwordFile), "\"password_file\" without \"user\"", "write the user as well")
        }
        let password = reader[.passwordFile].flatMap { self.password($0) }
        let authorities = reader[.ca].flatMap { context.authorities($0) }?.path
        let exceptions = reader[.noProxy].flatMap { self.exceptions($0) } ?? []
        guard let node = reader.required(.proxy, Self.remedy), let text = context.text(node, Self.remedy) else {
            return .direct
        }
        do throws(ProxyAddressError) {
            var route: OutgoingRoute
            if text == Self.environment {
                guard case .main(let variables) = context.file.role else { return .direct }
                route = try OutgoingRoute.environment(
                    variables, user: user, password: password, authorities: authorities
                ).route
            } else {
                guard !OutgoingProxy.hasCredentials(text) else {
                    context.error(
                        at: node.mark, "a user or password in the address of a proxy",
                        "give them as user and password_file")
                    return .direct
                }
                let proxy = try OutgoingProxy(text, user: user, password: password, authorities: authorities)
                route = OutgoingRoute(proxy: proxy)
            }
            route.exceptions += exceptions
            return route
        } catch {
            report(error, text == Self.environment, at: node.mark)
            return .direct
        }
    }

    private func report(_ error: ProxyAddressError, _ isOfEnvironment: Bool, at mark: Mark) {
        let place = isOfEnvironment ? "the environment's proxy" : "the proxy"
        switch error {
        case .scheme(let scheme):
            context.error(at: mark, "\(place) is reached by \"\(scheme)\", which is not supported", Self.remedy)
        case .malformed:
            context.error(at: mark, "\(place) has no host, a port that is not from 1 to 65535, or a path", Self.remedy)
        }
    }

    /// Basic authentication ends the user at the first colon (RFC 7617 section 2).
    private func user(_ node: YAMLNode) -> String? {
        context.value(node, "write the proxy's user, without a colon; the password goes into password_file") { text in
            text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ":") } ? text : nil
        }
    }

    private func password(_ node: YAMLNode) -> Secret? {
        guard let secret = context.secretFile(node) else { return nil }
        guard secret.exposedBytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            context.error(at: node.mark, "the password has a control character", "write it into the file as one line")
            return nil
        }
        return secret
    }

    private func exceptions(_ node: YAMLNode) -> [ProxyException]? {
        let remedy = "write a host, a domain such as .corp.example, or a network such as 10.0.0.0/8"
        return context.list(node) { context.value($0, remedy) { ProxyException($0) } }
    }
}
