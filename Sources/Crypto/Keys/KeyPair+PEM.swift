internal import SwitchyardCOpenSSL

extension KeyPair {
    /// Reads a private key in PEM (PKCS #8, PKCS #1 or SEC 1), without a password; nil for anything else, and for a kind
    /// of key that is not known here.
    package init?(pem: Secret) {
        let bytes = pem.exposedBytes
        guard let made = unsafe sy_key_from_pem(bytes, bytes.count) else { return nil }
        self.init(adopting: unsafe OpenSSLKey(adopting: made))
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
