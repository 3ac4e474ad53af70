internal import SwitchyardCOpenSSL

/// A certificate with its private key, with which a client proves itself in TLS (RFC 8705 section 2). Both fit together.
///
/// It holds the files' content, so a changed file counts from the next reload on.
public struct TLSClientCertificate: Hashable, Sendable {
    /// The certificate and the certificates that lead to its authority, in PEM.
    public let chain: [UInt8]
    /// In PEM, without a password.
    public let privateKey: Secret
    /// The subject's distinguished name (RFC 2253), which issuers are given for `tls_client_auth`; empty without one.
    public let subject: String

    /// The reason why a certificate and a key cannot be used together.
    public enum Flaw: Error, Hashable, Sendable {
        case unreadableCertificate
        /// Also a key that needs a password.
        case unreadableKey
        /// Less than 112 bits of security, as RSA keys under 2,048 bits have.
        case weakKey
        /// The certificate is for another key.
        case anotherKey
    }

    public init(chain: [UInt8], privateKey: Secret) throws(Flaw) {
        self.chain = chain
        self.privateKey = privateKey
        var der = [UInt8](repeating: 0, count: chain.count)
        let length = unsafe sy_pem_write_der(chain, chain.count, 0, &der, der.count)
        guard length > 0, length <= der.count else { throw .unreadableCertificate }
        let pem = privateKey.exposedBytes
        guard let made = unsafe sy_key_from_pem(pem, pem.count) else { throw .unreadableKey }
        let key = unsafe OpenSSLKey(adopting: made)
        guard unsafe key.lend({ unsafe EVP_PKEY_get_security_bits($0) }) >= 112 else { throw .weakKey }
        guard unsafe key.lend({ unsafe sy_key_is_certified($0, der, length) }) == 1 else { throw .anotherKey }
        // The certificate was compared with the public half alone.
        if let pair = KeyPair(adopting: key), !pair.isWhole { throw .anotherKey }
        var text = [CChar](repeating: 0, count: 1024)
        let count = unsafe sy_pem_write_subject(chain, chain.count, &text, text.count)
        subject = String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
