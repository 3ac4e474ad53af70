internal import SwitchyardCOpenSSL

/// The owner of one `EVP_PKEY` of OpenSSL.
///
/// Several threads may use one key at the same time. It is complete once it is made, and no operation here changes it:
/// each one has a context of its own. OpenSSL locks the values that it adds to a key later (RSA's Montgomery forms and
/// blinding, a provider's copy), and counts references atomically.
@safe final class OpenSSLKey: Sendable {
    /// Why `nonisolated(unsafe)`: this object alone owns it, and frees it last.
    nonisolated(unsafe) private let pointer: OpaquePointer

    /// Takes over a key that OpenSSL has made.
    init(adopting pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
    }

    deinit {
        unsafe EVP_PKEY_free(pointer)
    }

    /// Lends the key for calls of OpenSSL, and keeps it until they are over. They leave no error in the thread's queue.
    func lend<Value>(_ body: (OpaquePointer) -> Value) -> Value {
        withExtendedLifetime(self) { OpenSSLErrors.cleared { unsafe body(pointer) } }
    }
}

extension OpenSSLKey {
    /// nil for numbers that are no key, such as a point that is not on its curve.
    convenience init?(_ numbers: PublicNumbers) {
        let made =
            switch numbers {
            case .rsa(let modulus, let exponent):
                unsafe sy_key_from_rsa(modulus, modulus.count, exponent, exponent.count)
            case .ec(let curve, let x, let y): unsafe Self.point(curve, x, y, nil)
            case .ed25519(let bytes):
                unsafe OpenSSLErrors.cleared {
                    unsafe EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes, bytes.count)
                }
            }
        guard let made = unsafe made else { return nil }
        unsafe self.init(adopting: made)
    }

    /// A key pair on a curve; nil unless both parts belong together.
    convenience init?(_ curve: Curve, x: [UInt8], y: [UInt8], scalar: Secret) {
        guard let made = unsafe Self.point(curve, x, y, scalar) else { return nil }
        unsafe self.init(adopting: made)
        guard unsafe lend({ unsafe sy_key_is_pair($0) }) == 1 else { return nil }
    }

    private static func point(_ curve: Curve, _ x: [UInt8], _ y: [UInt8], _ scalar: Secret?) -> OpaquePointer? {
        guard x.count == curve.size, y.count == curve.size else { return nil }
        let point = [4] + x + y
        guard let scalar = scalar?.exposedBytes else {
            return unsafe sy_key_from_point(curve.rawValue, point, point.count, nil, 0)
        }
        return unsafe sy_key_from_point(curve.rawValue, point, point.count, scalar, scalar.count)
    }

    /// A fresh key pair; nil when OpenSSL cannot make one.
    convenience init?(generating kind: KeyKind, rsaBits: Int) {
        guard let made = unsafe OpenSSLErrors.cleared(behind: { unsafe Self.generated(kind, rsaBits) }) else {
            return nil
        }
        unsafe self.init(adopting: made)
    }

    private static func generated(_ kind: KeyKind, _ rsaBits: Int) -> OpaquePointer? {
        let type =
            switch kind {
            case .rsa: "RSA"
            case .ec: "EC"
            case .ed25519: "ED25519"
            }
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, type, nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_keygen_init(context) == 1 else { return nil }
        let isReady =
            switch kind {
            case .rsa: unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(rsaBits)) == 1
            case .ec(let curve): unsafe EVP_PKEY_CTX_set_group_name(context, curve.rawValue) == 1
            case .ed25519: true
            }
        var made: OpaquePointer?
        guard isReady, unsafe EVP_PKEY_generate(context, &made) == 1 else { return nil }
        return unsafe made
    }

    /// nil for a kind of key that is not known here.
    var kind: KeyKind? {
        unsafe lend { key in
            if unsafe EVP_PKEY_is_a(key, "RSA") == 1 { return .rsa }
            if unsafe EVP_PKEY_is_a(key, "ED25519") == 1 { return .ed25519 }
            guard unsafe EVP_PKEY_is_a(key, "EC") == 1 else { return nil }
            var name = [CChar](repeating: 0, count: 80)
            var count = 0
            guard unsafe EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1 else { return nil }
            return switch String(decoding: name.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) {
            case "prime256v1", "P-256": .ec(.p256)
            case "secp384r1", "P-384": .ec(.p384)
            case "secp521r1", "P-521": .ec(.p521)
            default: nil
            }
        }
    }

    /// The public part; nil only when memory is short.
    func publicNumbers(_ kind: KeyKind) -> PublicNumbers? {
        switch kind {
        case .rsa:
            guard let modulus = number("n", size: unsafe lend { Int(unsafe EVP_PKEY_get_size($0)) }),
                let exponent = number("e", size: 8)
            else { return nil }
            return .rsa(modulus: modulus, exponent: Array(exponent.drop { $0 == 0 }))
        case .ec(let curve):
            guard let x = number("qx", size: curve.size), let y = number("qy", size: curve.size) else { return nil }
            return .ec(curve, x: x, y: y)
        case .ed25519:
            var bytes = [UInt8](repeating: 0, count: 32)
            var count = bytes.count
            let done = unsafe lend { unsafe EVP_PKEY_get_raw_public_key($0, &bytes, &count) }
            return done == 1 && count == bytes.count ? .ed25519(bytes) : nil
        }
    }

    /// The number that OpenSSL knows by this name, with that many bytes; nil when the key has none, or a larger one.
    func number(_ name: String, size: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: size)
        return unsafe lend { unsafe sy_key_write_number($0, name, &bytes, bytes.count) } == 1 ? bytes : nil
    }
}
