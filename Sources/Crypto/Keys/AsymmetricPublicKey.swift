internal import SwitchyardCOpenSSL

/// A public key that is ready for use. Safe from any thread, also from several at the same time (``OpenSSLKey``).
/// Two keys are equal when their numbers are.
package struct AsymmetricPublicKey: Hashable, Sendable {
    package let numbers: PublicNumbers
    let key: OpenSSLKey

    /// nil for numbers that are no key: a point that is not on its curve, or with which everyone could sign. The 32 bytes
    /// of Ed25519 are first judged when a signature is checked.
    package init?(_ numbers: PublicNumbers) {
        if case .ed25519(let bytes) = numbers {
            guard bytes.count == 32, !Ed25519.isOfSmallOrder(bytes) else { return nil }
        }
        guard let key = OpenSSLKey(numbers) else { return nil }
        self.init(numbers, key)
    }

    init(_ numbers: PublicNumbers, _ key: OpenSSLKey) {
        self.numbers = numbers
        self.key = key
    }

    package static func == (left: Self, right: Self) -> Bool { left.numbers == right.numbers }

    package func hash(into hasher: inout Hasher) { hasher.combine(numbers) }

    /// Whether this key made the signature over the message. False for a scheme of another kind of key, and for bytes of
    /// another length than the scheme's signatures have.
    package func isSigner(of message: [UInt8], signature: [UInt8], _ scheme: SignatureScheme) -> Bool {
        guard scheme.fits(numbers.kind), let signature = forOpenSSL(signature),
            let context = unsafe EVP_MD_CTX_new()
        else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        return unsafe key.lend { key in
            unsafe scheme.begin(.verify, context, key)
                && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        }
    }

    /// The signature as OpenSSL takes it; nil for a wrong length.
    private func forOpenSSL(_ signature: [UInt8]) -> [UInt8]? {
        switch numbers {
        case .rsa(let modulus, _): return signature.count == modulus.count ? signature : nil
        case .ed25519: return signature.count == 64 ? signature : nil
        case .ec(let curve, _, _):
            guard signature.count == 2 * curve.size else { return nil }
            var der = [UInt8](repeating: 0, count: signature.count + 16)
            let count = unsafe sy_ecdsa_write_der(signature, curve.size, &der, der.count)
            return count > 0 ? Array(der.prefix(count)) : nil
        }
    }
}
