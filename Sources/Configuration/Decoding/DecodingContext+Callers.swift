internal import SwitchyardCrypto
internal import SwitchyardRouting
internal import SwitchyardTLS

extension DecodingContext {
    /// A PEM file of certificates that vouch for callers, known to be readable as such.
    func clientCertificates(_ node: YAMLNode) -> ClientCertificateFile? {
        let remedy = "name a PEM file with clients' certificates, or with those of the authority that issued them"
        guard let written = text(node, remedy), isAllowed(secret: written, at: node.mark),
            let (path, contents) = contents(of: written, at: node.mark, maximum: Self.maximumPEMSize)
        else { return nil }
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
            // What cannot stand in a header could never be presented. The key itself is in no message.
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
