internal import SwitchyardCOpenSSL

/// AES-128 in Cipher Block Chaining with HMAC-SHA-256 behind it (`A128CBC-HS256`, RFC 7518 section 5.2.3). Only for
/// opening: nothing here is sealed so. Safe from any thread.
package enum AESCBC {
    package static let keyLength = 32
    package static let nonceLength = 16
    package static let tagLength = 16

    /// The plaintext of a ciphertext with its tag behind it; nil when anything was changed.
    package static func open(_ box: [UInt8], key: Secret, nonce: [UInt8], associated: [UInt8]) -> [UInt8]? {
        let key = key.exposedBytes
        guard key.count == keyLength, nonce.count == nonceLength, box.count >= tagLength + 16,
            box.count < Int(Int32.max)
        else { return nil }
        let body = Array(box.dropLast(tagLength))
        let length = UInt64(associated.count) * 8
        let bits = (0..<8).reversed().map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) }
        let code = HMACSHA256.code(for: associated + nonce + body + bits, key: Array(key.prefix(16)))
        // The code is judged before anything is decrypted, so padding tells nothing.
        guard constantTimeEqual(Array(code.prefix(tagLength)), Array(box.suffix(tagLength))) else { return nil }
        return OpenSSLErrors.cleared { decrypt(body, key: Array(key.suffix(16)), nonce) }
    }

    private static func decrypt(_ body: [UInt8], key: [UInt8], _ nonce: [UInt8]) -> [UInt8]? {
        guard body.count % 16 == 0, let cipher = unsafe EVP_CIPHER_CTX_new() else { return nil }
        defer { unsafe EVP_CIPHER_CTX_free(cipher) }
        var out = [UInt8](repeating: 0, count: body.count + 16)
        var (written, rest): (Int32, Int32) = (0, 0)
        guard unsafe EVP_CipherInit_ex2(cipher, EVP_aes_128_cbc(), key, nonce, 0, nil) == 1,
            unsafe EVP_CipherUpdate(cipher, &out, &written, body, Int32(body.count)) == 1
        else { return nil }
        var last = [UInt8](repeating: 0, count: 32)
        guard unsafe EVP_CipherFinal_ex(cipher, &last, &rest) == 1 else { return nil }
        return Array(out.prefix(Int(written))) + last.prefix(Int(rest))
    }
}

/// The unwrapping of keys by AES-256 (RFC 3394 section 2.2.2). Safe from any thread.
package enum AESKeyWrap {
    /// The key inside; nil when anything was changed, and for a wrapping key of another length.
    package static func unwrap(_ wrapped: [UInt8], with key: Secret) -> Secret? {
        OpenSSLErrors.cleared { unwrapped(wrapped, key) }
    }

    private static func unwrapped(_ wrapped: [UInt8], _ key: Secret) -> Secret? {
        let key = key.exposedBytes
        guard key.count == 32, (24...72).contains(wrapped.count), wrapped.count % 8 == 0,
            let cipher = unsafe EVP_CIPHER_CTX_new()
        else { return nil }
        defer { unsafe EVP_CIPHER_CTX_free(cipher) }
        unsafe EVP_CIPHER_CTX_set_flags(cipher, Int32(EVP_CIPHER_CTX_FLAG_WRAP_ALLOW))
        var out = [UInt8](repeating: 0, count: wrapped.count + 8)
        defer { unsafe OPENSSL_cleanse(&out, out.count) }
        var written: Int32 = 0
        guard unsafe EVP_CipherInit_ex2(cipher, EVP_aes_256_wrap(), key, nil, 0, nil) == 1,
            unsafe EVP_CipherUpdate(cipher, &out, &written, wrapped, Int32(wrapped.count)) == 1,
            Int(written) == wrapped.count - 8
        else { return nil }
        return Secret(Array(out.prefix(Int(written))))
    }
}
