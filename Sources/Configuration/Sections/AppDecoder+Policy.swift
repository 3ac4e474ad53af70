internal import OAuth
internal import Routing

extension AppDecoder {
    /// What only an app with pending requests has.
    struct Policy {
        var release = ReleasePolicy.none
        var defaultScope = Scopes(parsing: "")
        var authentication = ClientAuthentication.none
        var beginFrom: BeginFrom?
    }

    private enum BeginFromKey: String, ConfigurationKey {
        case uids
        case networks
        case clientCertificates = "client_certificates"
        case apiKeyFile = "api_key_file"

        var isBuilt: Bool { self == .uids || self == .networks }
    }

    /// nil when something in it is wrong, which is reported.
    func pendingPolicy(_ handler: HandlerKind) -> Policy? {
        guard handler == .pending else {
            reader.refuse(
                [.release, .defaultScope, .tokenEndpointAuthMethod, .clientSecret, .clientSecretFile, .beginFrom],
                because: "a redirect handler holds no request and redeems nothing")
            return Policy()
        }
        let release = self.release()
        let scope = reader[.defaultScope].flatMap { defaultScope($0) }
        let authentication = self.authentication()
        let beginFrom = reader[.beginFrom].flatMap { self.beginFrom($0) }
        guard let release, let authentication else { return nil }
        if authentication != .none, reader[.beginFrom] == nil {
            context.error(
                at: reader.mark(of: .id), "an app with client authentication that anyone may use",
                "write begin_from: { uids: […], networks: […] } to say who may begin with its secret")
        }
        return Policy(
            release: release, defaultScope: scope ?? Scopes(parsing: ""), authentication: authentication,
            beginFrom: beginFrom)
    }

    private func release() -> ReleasePolicy? {
        guard let node = reader[.release] else { return .code }
        return context.choice(node, ReleasePolicy.allCases.map { ($0.rawValue, $0) })
    }

    private func defaultScope(_ node: YAMLNode) -> Scopes? {
        context.value(node, "write scopes in one text, separated by spaces: \"openid profile\"") {
            Scopes(validating: $0)
        }
    }

    private enum Method { case none, basic, post }

    private func authentication() -> ClientAuthentication? {
        let written = reader.secret(.clientSecret, file: .clientSecretFile)
        guard let method = method(hasSecret: written.isGiven) else { return nil }
        if method == .none {
            reader.refuse([.clientSecret, .clientSecretFile], because: "token_endpoint_auth_method is none")
            return ClientAuthentication.none
        }
        guard written.isGiven else {
            context.error(
                at: reader.mark(of: .tokenEndpointAuthMethod), "a method of client authentication without a secret",
                "name the file that holds it: client_secret_file")
            return nil
        }
        return written.secret.map { method == .basic ? .clientSecretBasic($0) : .clientSecretPost($0) }
    }

    /// The names are those of RFC 7591 section 2; a secret without a method is sent by Basic, which every issuer that
    /// issues secrets must take (RFC 6749 section 2.3.1).
    private func method(hasSecret: Bool) -> Method? {
        guard let node = reader[.tokenEndpointAuthMethod] else { return hasSecret ? .basic : Method.none }
        return context.choice(
            node, [("none", .none), ("client_secret_basic", .basic), ("client_secret_post", .post)],
            later: ["client_secret_jwt", "private_key_jwt", "tls_client_auth", "self_signed_tls_client_auth"])
    }

    private func beginFrom(_ node: YAMLNode) -> BeginFrom? {
        guard let reader = MappingReader<BeginFromKey>(node, in: context) else { return nil }
        let uids = reader[.uids].flatMap { list in
            context.list(list) { element in
                context.value(element, "write a user ID as a number, such as 1000") { text in
                    // The highest one means "none" to the kernel.
                    UInt32(text).flatMap { $0 != .max ? $0 : nil }
                }
            }
        }
        let networks = reader[.networks].flatMap { context.networks($0) }
        if [reader[.uids], reader[.networks]].allSatisfy({ $0?.isEmptyList ?? true }) {
            context.error(at: node.mark, "a begin_from that lets nobody begin", "list uids or networks")
        }
        return BeginFrom(uids: uids ?? [], networks: networks ?? [])
    }
}
