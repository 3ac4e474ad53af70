internal import SwitchyardCOpenSSL

extension KeyPair {
    /// Reads a private key in PEM (PKCS #8, PKCS #1 or SEC 1), without a password; nil for anything else, for a kind
    /// of key that is not known here, and for a public half of another key.
    package init?(pem: Secret) {
        let bytes = pem.exposedBytes
        guard let made = unsafe sy_key_from_pem(bytes, bytes.count) else { return nil }
        self.init(adopting: unsafe OpenSSLKey(adopting: made))
        guard isWhole else { return nil }
    }

    /// Whether the public half believes a signature of the private half. OpenSSL's own check of an RSA key tries whether
    /// its factors are prime, which takes a thousand times as long.
    private var isWhole: Bool {
        let scheme: SignatureScheme =
            switch publicKey.numbers.kind {
            case .rsa: .rsaPKCS1(.sha256)
            case .ec: .ecdsa(.sha256)
            case .ed25519: .ed25519
            }
        let message = Array("both halves".utf8)
        guard let signature = sign(message, scheme) else { return false }
        return publicKey.isSigner(of: message, signature: signature, scheme)
    }

    /// The private key in PEM (PKCS #8) without a password; nil only when memory is short.
    package var pem: Secret? {
        var out = [UInt8](repeating: 0, count: Self.longestPEM)
        defer { unsafe OPENSSL_cleanse(&out, out.count) }
        let count = unsafe key.lend { unsafe sy_key_write_pem($0, &out, out.count) }
        return count > 0 ? Secret(Array(out.prefix(count))) : nil
    }

    /// Whether the first certificate of a chain is for this key.
    package func isCertified(by chain: CertificateList) -> Bool {
        let first = chain.certificates[0]
        return unsafe key.lend { unsafe sy_key_is_certified($0, first, first.count) } == 1
    }

    /// Enough for RSA with 16,384 bits.
    private static let longestPEM = 16 * 1024
}
