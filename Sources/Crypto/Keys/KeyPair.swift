internal import SwitchyardCOpenSSL

/// A private key with its public part. Safe from any thread, also from several at the same time (``OpenSSLKey``).
package struct KeyPair: Sendable {
    package let publicKey: AsymmetricPublicKey
    let key: OpenSSLKey

    /// A fresh one; nil when OpenSSL cannot make it.
    package init?(generating kind: KeyKind, rsaBits: Int = 2048) {
        self.init(OpenSSLKey(generating: kind, rsaBits: rsaBits), kind)
    }

    /// nil unless the scalar belongs to the point, and the point to the curve.
    package init?(_ curve: Curve, x: [UInt8], y: [UInt8], scalar: Secret) {
        self.init(OpenSSLKey(curve, x: x, y: y, scalar: scalar), .ec(curve))
    }

    /// Ed25519, from the 32 bytes of RFC 8032 section 5.1.5; nil for another length.
    package init?(ed25519 seed: Secret) {
        let seed = seed.exposedBytes
        let made = unsafe OpenSSLErrors.cleared {
            unsafe EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count)
        }
        guard let made = unsafe made else { return nil }
        self.init(unsafe OpenSSLKey(adopting: made), .ed25519)
    }

    /// nil for a kind of key that is not known here.
    init?(adopting key: OpenSSLKey) {
        guard let kind = key.kind else { return nil }
        self.init(key, kind)
    }

    private init?(_ key: OpenSSLKey?, _ kind: KeyKind) {
        guard let key, let numbers = key.publicNumbers(kind) else { return nil }
        self.key = key
        publicKey = AsymmetricPublicKey(numbers, key)
    }

    /// The private number of a key on a curve, with the curve's size; nil for another kind.
    package var scalar: Secret? {
        guard case .ec(let curve) = publicKey.numbers.kind else { return nil }
        return key.number("priv", size: curve.size).map { Secret($0) }
    }

    /// The signature over the message, in the form of JWS; nil for a scheme of another kind of key.
    package func sign(_ message: [UInt8], _ scheme: SignatureScheme) -> [UInt8]? {
        guard scheme.fits(publicKey.numbers.kind), let context = unsafe EVP_MD_CTX_new() else { return nil }
        defer { unsafe EVP_MD_CTX_free(context) }
        let signature: [UInt8]? = unsafe key.lend { key in
            var count = Int(unsafe EVP_PKEY_get_size(key))
            var signature = [UInt8](repeating: 0, count: count)
            guard unsafe scheme.begin(.sign, context, key),
                unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1
            else { return nil }
            return Array(signature.prefix(count))
        }
        guard case .ec(let curve) = publicKey.numbers.kind, let signature else { return signature }
        var raw = [UInt8](repeating: 0, count: 2 * curve.size)
        return unsafe sy_ecdsa_write_raw(signature, signature.count, &raw, curve.size) == 1 ? raw : nil
    }

    /// The secret that both sides of a key agreement compute (ECDH, RFC 7518 section 4.6); nil for a peer on another
    /// curve.
    package func agreement(with peer: AsymmetricPublicKey) -> Secret? {
        guard case .ec(let curve) = publicKey.numbers.kind, peer.numbers.kind == .ec(curve) else { return nil }
        var secret = [UInt8](repeating: 0, count: curve.size)
        var count = secret.count
        let done = unsafe key.lend { own in
            unsafe peer.key.lend { peer in
                guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, own, nil) else { return false }
                defer { unsafe EVP_PKEY_CTX_free(context) }
                // The peer's point is on the curve since the key was read, and these curves have no small subgroups.
                return unsafe EVP_PKEY_derive_init(context) == 1
                    && EVP_PKEY_derive_set_peer_ex(context, peer, 0) == 1
                    && EVP_PKEY_derive(context, &secret, &count) == 1
            }
        }
        defer { unsafe OPENSSL_cleanse(&secret, secret.count) }
        return done && count == secret.count ? Secret(secret) : nil
    }
}
