internal import SwitchyardCrypto
internal import SwitchyardOAuth
internal import SwitchyardRouting
internal import SwitchyardTLS
internal import SwitchyardText

extension AppDecoder {
    private enum RelayFromKey: String, ConfigurationKey {
        case uids
        case networks
    }

    func useFrom(_ node: YAMLNode) -> UseFrom? { context.useFrom(node) }

    func beginFrom(_ node: YAMLNode) -> BeginFrom? { context.beginFrom(node) }

    /// Reads the callers that may relay. `release` and `redirects` are nil if they are wrong, which has been reported.
    func relayFrom(_ release: ReleasePolicy?, _ redirects: [RedirectURI]?) -> RelayFrom? {
        guard let node = self.reader[.relayFrom] else { return nil }
        if let redirects, redirects.allSatisfy({ if case .https = $0.form { true } else { false } }) {
            context.error(
                at: self.reader.mark(of: .relayFrom), "nothing to relay: all redirect URIs of this app are https",
                "leave relay_from out; an https callback comes from the browser itself")
            return nil
        }
        guard let reader = MappingReader<RelayFromKey>(node, in: context) else { return nil }
        let uids = reader[.uids].flatMap { context.uids($0) }
        let networks = reader[.networks].flatMap { context.networks($0) }
        if [reader[.uids], reader[.networks]].allSatisfy({ $0?.isEmptyList ?? true }) {
            context.error(at: node.mark, "a relay_from that lets nobody relay", "list uids or networks")
        }
        if let release, release != .none, reader[.networks]?.isEmptyList == false {
            context.warning(
                at: reader.mark(of: .networks), "with release \(release.rawValue), nobody can relay over a network",
                "list uids: a relay counts on a Unix socket only, from the user that began")
        }
        return RelayFrom(uids: uids ?? [], networks: networks ?? [])
    }
}

private enum BeginFromKey: String, ConfigurationKey {
    case uids
    case networks
    case clientCertificates = "client_certificates"
    case apiKeyFile = "api_key_file"
}

private enum UseFromKey: String, ConfigurationKey {
    case executables
    case desktopIDs = "desktop_ids"
}

extension DecodingContext {
    /// Reads the list of programs that may have the app's tokens from an agent, and reports errors. Empty lists admit
    /// no program.
    func useFrom(_ node: YAMLNode) -> UseFrom? {
        guard let reader = MappingReader<UseFromKey>(node, in: self) else { return nil }
        if reader[.executables] == nil, reader[.desktopIDs] == nil {
            error(
                at: node.mark, "a use_from without a list",
                "list executables or desktop_ids; an empty list lets no program have the app's tokens")
        }
        let executables = reader[.executables].flatMap { list in
            self.list(list) { element in
                self.value(element, "write a program's full path, such as /usr/bin/evolution") { text in
                    text.hasPrefix("/") && !text.hasSuffix("/") && text.utf8.allSatisfy { $0 >= 0x20 } ? text : nil
                }
            }
        }
        let ids = reader[.desktopIDs].flatMap { list in
            self.list(list) { element in
                self.value(element, "write a desktop ID, such as org.gnome.Evolution") { text in
                    let id = text.hasSuffix(".desktop") ? String(text.dropLast(".desktop".count)) : text
                    let isName = id.utf8.allSatisfy { ASCII.isAlphanumeric($0) || "._-".utf8.contains($0) }
                    return id.isEmpty || !isName ? nil : id
                }
            }
        }
        return UseFrom(executables: executables ?? [], desktopIDs: ids ?? [])
    }

    /// Reads the callers that may begin, and reports errors.
    func beginFrom(_ node: YAMLNode) -> BeginFrom? {
        guard let reader = MappingReader<BeginFromKey>(node, in: self) else { return nil }
        let uids = reader[.uids].flatMap { self.uids($0) }
        let networks = reader[.networks].flatMap { self.networks($0) }
        let certificates = reader[.clientCertificates].flatMap { list in
            self.list(list) { clientCertificates($0) }
        }
        let keys = reader[.apiKeyFile].flatMap { apiKeys($0) }
        let lists = [reader[.uids], reader[.networks], reader[.clientCertificates]]
        if reader[.apiKeyFile] == nil, lists.allSatisfy({ $0?.isEmptyList ?? true }) {
            error(
                at: node.mark, "a begin_from that lets nobody begin",
                "list uids, networks or client_certificates, or name an api_key_file")
        }
        return BeginFrom(
            uids: uids ?? [], networks: networks ?? [], clientCertificates: certificates ?? [],
            apiKeyHashes: keys ?? [])
    }

    /// A PEM file of certificates that vouch for callers, known to be readable as such.
    func clientCertificates(_ node: YAMLNode) -> ClientCertificateFile? {
        let remedy = "name a PEM file with clients' certificates, or with those of the authority that issued them"
        guard let (path, contents) = contents(node, maximum: Self.maximumPEMSize, remedy) else { return nil }
        if contents.bytes.firstRange(of: "PRIVATE KEY-----".utf8) != nil {
            warning(
                at: node.mark, "\(path) holds a private key, which is the client's own business",
                "keep only the certificate here")
        }
        do {
            _ = try TrustAnchors(pem: [contents.bytes])
        } catch {
            self.error(at: node.mark, "\(path) cannot be used: \(error)", remedy)
            return nil
        }
        return ClientCertificateFile(path: path, pem: contents.bytes)
    }

    /// The digests of the API keys in a file, one key a line: a second one lets a key be replaced without a gap.
    func apiKeys(_ node: YAMLNode) -> [SHA256Digest]? {
        guard let (path, contents) = secretContents(node) else { return nil }
        var keys: [SHA256Digest] = []
        for (index, line) in contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated()
        {
            guard let end = line.lastIndex(where: { !Self.isBlank($0) }) else { continue }
            let key = line[...end]
            // A key with other bytes could never be sent in a header field. Messages leave the key itself out.
            guard key.allSatisfy({ (0x21...0x7E).contains($0) }), key.count >= Self.shortestAPIKey else {
                error(
                    at: node.mark, "line \(index + 1) of \(path) is no API key: \(Self.apiKeyRule)",
                    "make one by: openssl rand -hex 32")
                return nil
            }
            keys.append(SHA256Digest(of: Array(key)))
        }
        guard !keys.isEmpty else {
            error(at: node.mark, "there is no API key in \(path)", "make one by: openssl rand -hex 32")
            return nil
        }
        return keys
    }

    /// 128 bits in base64url.
    private static let shortestAPIKey = 22
    private static let apiKeyRule = "it is at least \(shortestAPIKey) visible ASCII characters, without spaces"

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0D].contains(byte) }
}
