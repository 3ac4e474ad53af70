internal import SwitchyardCOpenSSL

/// The ways to sign, each with the one kind of key that it takes.
package enum SignatureScheme: Hashable, Sendable {
    /// RSASSA-PKCS1-v1_5 (RFC 8017 section 8.2).
    case rsaPKCS1(SHA2)
    /// RSASSA-PSS with the same hash in its mask, and a salt of the hash's length (RFC 7518 section 3.5).
    case rsaPSS(SHA2)
    /// ECDSA, as `r · s` with the curve's size each (RFC 7518 section 3.4).
    case ecdsa(SHA2)
    case ed25519

    func fits(_ kind: KeyKind) -> Bool {
        switch (self, kind) {
        case (.rsaPKCS1, .rsa), (.rsaPSS, .rsa), (.ecdsa, .ec), (.ed25519, .ed25519): true
        case (.rsaPKCS1, _), (.rsaPSS, _), (.ecdsa, _), (.ed25519, _): false
        }
    }

    /// OpenSSL's name for the hash; nil where the scheme has its own.
    private var digest: OpaquePointer? {
        switch self {
        case .rsaPKCS1(let hash), .rsaPSS(let hash), .ecdsa(let hash): unsafe hash.algorithm
        case .ed25519: nil
        }
    }

    /// Begins to verify or to sign in `context`.
    func begin(_ operation: Operation, _ context: OpaquePointer, _ key: OpaquePointer) -> Bool {
        // Belongs to the context.
        var parameters: OpaquePointer?
        let begun =
            switch operation {
            case .verify: unsafe EVP_DigestVerifyInit(context, &parameters, digest, nil, key)
            case .sign: unsafe EVP_DigestSignInit(context, &parameters, digest, nil, key)
            }
        guard begun == 1 else { return false }
        switch self {
        case .rsaPKCS1: return unsafe EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PADDING) == 1
        case .rsaPSS:
            return unsafe EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1
                && EVP_PKEY_CTX_set_rsa_mgf1_md(parameters, digest) == 1
                && EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, RSA_PSS_SALTLEN_DIGEST) == 1
        case .ecdsa, .ed25519: return true
        }
    }

    enum Operation { case verify, sign }
}

extension SHA2 {
    /// OpenSSL's constant for it, which is never freed.
    fileprivate var algorithm: OpaquePointer? {
        switch self {
        case .sha256: unsafe EVP_sha256()
        case .sha384: unsafe EVP_sha384()
        case .sha512: unsafe EVP_sha512()
        }
    }
}
