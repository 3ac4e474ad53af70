import SwitchyardCOpenSSL
import SwitchyardCrypto
import SwitchyardJSON

/// Opens what was sealed with OpenSSL alone, so that libcjose's reading of RFC 7518 section 4.6 is held
/// against another.
@safe
final class IndependentOpener {
    private let key: OpaquePointer

    init?() {
        guard let context = unsafe EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var made: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1,
            unsafe EVP_PKEY_keygen(context, &made) == 1, let key = unsafe made
        else { return nil }
        unsafe self.key = unsafe key
    }

    deinit {
        unsafe EVP_PKEY_free(key)
    }

    var publicJWK: JSONObject {
        var text: UnsafeMutablePointer<UInt8>?
        let count = unsafe EVP_PKEY_get1_encoded_public_key(key, &text)
        let point = unsafe Array(UnsafeBufferPointer(start: text, count: count))
        unsafe CRYPTO_free(text, "", 0)
        return [
            "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encode(Array(point[1..<33]))),
            "y": .string(Base64URL.encode(Array(point[33..<65]))),
        ]
    }

    /// The plaintext of a compact JWE with ECDH-ES and A256GCM; nil when it does not open.
    func open(_ compact: String) -> [UInt8]? {
        let parts = compact.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let decoded = parts.compactMap { Base64URL.decode($0) }
        guard decoded.count == 5, let header = (try? JSONValue.parse(decoded[0]))?.object,
            let agreement = agreement(with: header["epk"]?.object ?? [:])
        else { return nil }
        let secret = Self.concatKDF(agreement, algorithm: "A256GCM", bits: 256, partyU: [], partyV: [])
        return Self.decrypt(
            decoded[3], key: secret, nonce: decoded[2], associated: Array(parts[0].utf8), tag: decoded[4])
    }

    /// RFC 7518 section 4.6.2, as far as one digest goes.
    static func concatKDF(
        _ agreement: [UInt8], algorithm: String, bits: UInt32, partyU: [UInt8], partyV: [UInt8]
    ) -> [UInt8] {
        func number(_ value: UInt32) -> [UInt8] {
            stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
        }
        func prefixed(_ bytes: [UInt8]) -> [UInt8] { number(UInt32(bytes.count)) + bytes }
        let information = prefixed(Array(algorithm.utf8)) + prefixed(partyU) + prefixed(partyV) + number(bits)
        return Array(SHA256Digest(of: number(1) + agreement + information).bytes.prefix(Int(bits / 8)))
    }

    private func agreement(with jwk: JSONObject) -> [UInt8]? {
        let coordinates = ["x", "y"].compactMap { jwk[$0]?.string }.compactMap { Base64URL.decode($0) }
        guard coordinates.count == 2, let peer = unsafe EVP_PKEY_new() else { return nil }
        defer { unsafe EVP_PKEY_free(peer) }
        let point = [4] + coordinates[0] + coordinates[1]
        guard unsafe EVP_PKEY_copy_parameters(peer, key) == 1,
            unsafe EVP_PKEY_set1_encoded_public_key(peer, point, point.count) == 1,
            let context = unsafe EVP_PKEY_CTX_new(key, nil)
        else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var secret = [UInt8](repeating: 0, count: 32)
        var count = 32
        guard unsafe EVP_PKEY_derive_init(context) == 1, unsafe EVP_PKEY_derive_set_peer(context, peer) == 1,
            unsafe EVP_PKEY_derive(context, &secret, &count) == 1, count == 32
        else { return nil }
        return secret
    }

    private static func decrypt(
        _ ciphertext: [UInt8], key: [UInt8], nonce: [UInt8], associated: [UInt8], tag: [UInt8]
    ) -> [UInt8]? {
        guard nonce.count == 12, tag.count == 16, let cipher = unsafe EVP_CIPHER_CTX_new() else { return nil }
        defer { unsafe EVP_CIPHER_CTX_free(cipher) }
        var plaintext = [UInt8](repeating: 0, count: ciphertext.count + 16)
        var tag = tag
        var count: Int32 = 0
        guard unsafe EVP_CipherInit_ex(cipher, EVP_aes_256_gcm(), nil, key, nonce, 0) == 1,
            unsafe EVP_CipherUpdate(cipher, nil, &count, associated, Int32(associated.count)) == 1,
            unsafe EVP_CipherUpdate(cipher, &plaintext, &count, ciphertext, Int32(ciphertext.count)) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_GCM_SET_TAG, 16, &tag) == 1
        else { return nil }
        var rest = [UInt8](repeating: 0, count: 16)
        guard unsafe EVP_CipherFinal_ex(cipher, &rest, &count) == 1 else { return nil }
        return Array(plaintext.prefix(ciphertext.count))
    }
}
