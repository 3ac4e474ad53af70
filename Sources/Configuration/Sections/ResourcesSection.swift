internal import SwitchyardOAuth
internal import SwitchyardRouting

/// `resources:`: the resources to which people may sign in without an app. Each entry is one registration; each resource has a
/// redirect URI of its own.
struct ResourcesSection {
    enum Key: String, ConfigurationKey {
        case redirectURI = "redirect_uri"
        case release
        case beginFrom = "begin_from"
        case useFrom = "use_from"
        case others
        case clientID = "client_id"
        case allow
    }

    enum EntryKey: String, ConfigurationKey {
        case url
        case client
        case metadata
        case resourceParameter = "resource_parameter"
        case ca
        case beginFrom = "begin_from"
        case useFrom = "use_from"
    }

    /// The decoded section.
    struct Decoded {
        var entries: [DecodedApp] = []
        /// At an agent, the registration of the resources that no entry names; nil where they are not allowed.
        var others: AppRegistration?
    }

    /// The parts that all entries share.
    private struct Common {
        let base: String
        let release: ReleasePolicy
        let beginFrom: BeginFrom?
        let useFrom: UseFrom?
        let document: String?
    }

    enum ClientKey: String, ConfigurationKey {
        case clientID = "client_id"
        case clientSecret = "client_secret"
        case clientSecretFile = "client_secret_file"
        case tokenEndpointAuthMethod = "token_endpoint_auth_method"
        case signingKeys = "signing_keys"
        case tlsClientCertificate = "tls_client_certificate"
        case tlsClientKey = "tls_client_key"
        case issuer
    }

    let context: DecodingContext

    /// The redirect URI of an agent, without the port, which each registration has for itself.
    static let baseOfAgent = "http://127.0.0.1/resource"

    private var isForAgent: Bool { context.file.agent != nil }

    /// An agent without the section allows every https resource.
    static func standardOfAgent() -> Decoded { Decoded(others: others(baseOfAgent, nil, nil)) }

    func decode(_ node: YAMLNode) -> Decoded {
        guard let reader = MappingReader<Key>(node, in: context) else { return Decoded() }
        isForAgent ? refuseKeysOfGateway(reader) : refuseKeysOfAgent(reader)
        let base =
            isForAgent
            ? reader[.redirectURI].map { loopbackBase($0) } ?? Self.baseOfAgent
            : reader.required(
                .redirectURI, "write an https address of this gateway, such as https://login.example.com/resource"
            )
            .flatMap { self.base($0) }
        let release = reader[.release].flatMap { node -> ReleasePolicy? in
            guard let policy = context.choice(node, ReleasePolicy.self) else { return nil }
            guard policy != .sameDevice else {
                context.error(
                    at: node.mark, "release same_device for resources", "write code: no app listens for the browser")
                return nil
            }
            return policy
        }
        let beginFrom = reader[.beginFrom].flatMap { context.beginFrom($0) }
        let useFrom = reader[.useFrom].flatMap { context.useFrom($0) }
        let document = reader[.clientID].flatMap { self.document($0) }
        let allowsOthers = reader[.others].flatMap { context.choice($0, [("true", true), ("false", false)]) } ?? true
        let allow =
            isForAgent
            ? reader[.allow]
            : reader.required(.allow, "list the resources: allow: [{ url: https://mcp.example.com/ }]")
        guard let base else { return Decoded() }
        let common = Common(
            base: base, release: isForAgent ? .none : release ?? .code, beginFrom: beginFrom, useFrom: useFrom,
            document: document)
        var lines: [String: UInt32] = [:]
        var decoded = Decoded()
        decoded.entries =
            allow.flatMap { allow in
                context.list(allow) { element in
                    guard let entry = MappingReader<EntryKey>(element, in: context) else { return nil }
                    return app(entry, common, &lines)
                }
            } ?? []
        if isForAgent, allowsOthers { decoded.others = Self.others(base, useFrom, document) }
        return decoded
    }

    /// The redirect URI without a slash at its end; each entry adds a segment.
    private func base(_ node: YAMLNode) -> String? {
        guard let text = context.text(node) else { return nil }
        let base = text.hasSuffix("/") ? String(text.dropLast()) : text
        do throws(RedirectURIError) {
            _ = try RedirectURI(base + "/x")
            return base
        } catch {
            context.error(at: node.mark, "the redirect URI \"\(text)\" \(error.message)", error.remedy)
            return nil
        }
    }

    private func app(
        _ entry: MappingReader<EntryKey>, _ common: Common, _ lines: inout [String: UInt32]
    ) -> DecodedApp? {
        if isForAgent {
            entry.refuse([.beginFrom], because: Self.ownUserOnly)
        } else {
            entry.refuse([.useFrom], because: Self.noPrograms)
        }
        let errors = context.log.errorCount
        let url = entry.required(.url, "write the URL of the resource, or a part that all of its resources begin with")
            .flatMap { resource($0) }
        let client = entry[.client].flatMap { self.client($0) }
        let metadata = entry[.metadata].flatMap { endpoint($0) }
        let sends =
            entry[.resourceParameter].flatMap { context.choice($0, [("true", true), ("false", false)]) } ?? true
        let anchor = entry[.ca].flatMap { context.authorities($0) }
        let own = entry[.beginFrom].flatMap { context.beginFrom($0) }
        let useFrom = entry[.useFrom].flatMap { context.useFrom($0) } ?? common.useFrom
        guard let url, context.log.errorCount == errors else { return nil }
        let segment = ResourceEntry.segment(of: url)
        if let line = lines.updateValue(entry.node.mark.line, forKey: segment) {
            context.error(
                at: entry.mark(of: .url), "a second entry for \(url)", "keep one; the first is on line \(line)")
            return nil
        }
        let beginFrom = own ?? common.beginFrom
        if let client, client.authentication != .none, beginFrom == nil, !isForAgent {
            context.error(
                at: entry.mark(of: .client), "a client with a secret that anyone may use",
                "write begin_from: at the entry or at resources, to say who may begin with it")
            return nil
        }
        guard let id = AppID(ResourceEntry.idPrefix + segment), let uri = try? RedirectURI("\(common.base)/\(segment)")
        else { return nil }
        let hosts = [
            url.host, metadata?.host, client.flatMap { try? EndpointURL($0.issuer, allowingLoopbackHTTP: true).host },
        ]
        let registration = AppRegistration(
            id: id, name: url.host, issuer: "", clientID: client?.id ?? id.text, redirectURIs: [uri],
            release: common.release,
            clientAuthentication: client?.authentication ?? .none, beginFrom: beginFrom, useFrom: useFrom,
            keys: client?.keys ?? .none,
            resource: ResourceEntry(
                url: url, client: client, metadata: metadata, sendsResource: sends, trustAnchor: anchor?.path,
                namedHosts: Set(hosts.compactMap(\.self)), document: common.document,
                isOfAgent: isForAgent))
        return DecodedApp(resource: registration, of: context.file, at: entry.node.mark)
    }

    private func resource(_ node: YAMLNode) -> ResourceURL? {
        guard let text = context.text(node) else { return nil }
        do throws(ResourceURLError) {
            return try ResourceURL(text, allowingLoopbackHTTP: true)
        } catch {
            context.error(at: node.mark, "the resource \"\(text)\" \(error)", "write an https URL without a fragment")
            return nil
        }
    }

    private func endpoint(_ node: YAMLNode) -> EndpointURL? {
        guard let text = context.text(node) else { return nil }
        do throws(EndpointURLError) {
            return try EndpointURL(text, allowingLoopbackHTTP: true)
        } catch {
            context.error(at: node.mark, "\"\(text)\" \(error)", "use https; plain http passes only on loopback")
            return nil
        }
    }

    private func client(_ node: YAMLNode) -> ResourceEntry.Client? {
        guard let reader = MappingReader<ClientKey>(node, in: context) else { return nil }
        let id = reader.required(.clientID, "write the client ID that the issuer gave").flatMap {
            context.value($0, "write the client ID as the issuer gave it") { text in
                text.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? text : nil
            }
        }
        let issuer = reader.required(.issuer, "write the issuer identifier of the authorization server").flatMap {
            endpoint($0)
        }
        let secret = reader.secret(.clientSecret, file: .clientSecretFile)
        let method = reader[.tokenEndpointAuthMethod].flatMap {
            context.choice(
                $0,
                [
                    ("none", "none"), ("client_secret_basic", "client_secret_basic"),
                    ("client_secret_post", "client_secret_post"), ("private_key_jwt", "private_key_jwt"),
                    ("tls_client_auth", "tls_client_auth"),
                    ("self_signed_tls_client_auth", "self_signed_tls_client_auth"),
                ])
        }
        let errors = context.log.errorCount
        let (keyed, keys) = keyAuthentication(method, reader)
        guard context.log.errorCount == errors else { return nil }
        guard let id, let issuer else { return nil }
        if let keyed {
            guard !secret.isGiven else {
                context.error(
                    at: reader.mark(of: .tokenEndpointAuthMethod), "a secret beside \(keyed.name)",
                    "take the secret out: the key proves the client")
                return nil
            }
            return ResourceEntry.Client(id: id, authentication: keyed, issuer: issuer.text, keys: keys)
        }
        let authentication: ClientAuthentication
        switch (method, secret.secret) {
        case ("client_secret_post"?, let secret?): authentication = .clientSecretPost(secret)
        case (nil, let secret?), ("client_secret_basic"?, let secret?): authentication = .clientSecretBasic(secret)
        case (nil, nil), ("none"?, nil): authentication = .none
        default:
            if !secret.isGiven || method == "none" {
                context.error(
                    at: reader.mark(of: .tokenEndpointAuthMethod),
                    "a method of client authentication that does not fit the secret",
                    "name the file that holds it, client_secret_file, or write none")
            }
            return nil
        }
        return ResourceEntry.Client(id: id, authentication: authentication, issuer: issuer.text)
    }
}
