internal import SwitchyardCOpenSSL

/// AES in Galois/Counter Mode (NIST SP 800-38D), with nonces of 12 bytes and tags of 16. A key of 32 bytes makes it
/// AES-256, one of 16 bytes AES-128. Safe from any thread.
package enum AESGCM {
    package static let keyLength = 32
    package static let nonceLength = 12
    package static let tagLength = 16

    /// The ciphertext with the tag behind it; nil only when memory is short.
    /// - Parameter associated: bytes that are authenticated with it and stay outside.
    package static func seal(_ plaintext: [UInt8], key: Secret, nonce: [UInt8], associated: [UInt8]) -> [UInt8]? {
        OpenSSLErrors.cleared { run(.seal, plaintext, key: key, nonce: nonce, associated: associated) }
    }

    /// The plaintext of a ciphertext with its tag behind it; nil when anything was changed.
    package static func open(_ box: [UInt8], key: Secret, nonce: [UInt8], associated: [UInt8]) -> [UInt8]? {
        OpenSSLErrors.cleared { run(.open, box, key: key, nonce: nonce, associated: associated) }
    }

    private enum Direction { case seal, open }

    /// Looked up once; OpenSSL would do it by name for each operation.
    ///
    /// Why `nonisolated(unsafe)`: the pointer and what it points to never change, and it is never freed.
    nonisolated(unsafe) private static let algorithm = unsafe EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)
    /// Why `nonisolated(unsafe)`: as for ``algorithm``.
    nonisolated(unsafe) private static let shortAlgorithm = unsafe EVP_CIPHER_fetch(nil, "AES-128-GCM", nil)

    private static func run(
        _ direction: Direction, _ input: [UInt8], key: Secret, nonce: [UInt8], associated: [UInt8]
    ) -> [UInt8]? {
        let sealing = direction == .seal
        let key = key.exposedBytes
        let bodyLength = sealing ? input.count : input.count - tagLength
        guard key.count == keyLength || key.count == 16, nonce.count == nonceLength,
            (0..<Int(Int32.max)).contains(bodyLength),
            associated.count < Int(Int32.max), let cipher = unsafe EVP_CIPHER_CTX_new()
        else { return nil }
        defer { unsafe EVP_CIPHER_CTX_free(cipher) }
        var out = [UInt8](repeating: 0, count: bodyLength)
        var tag = sealing ? [UInt8](repeating: 0, count: tagLength) : Array(input[bodyLength...])
        var written: Int32 = 0
        guard
            unsafe EVP_CipherInit_ex2(
                cipher, key.count == keyLength ? algorithm : shortAlgorithm, key, nonce, sealing ? 1 : 0, nil) == 1,
            unsafe EVP_CipherUpdate(cipher, nil, &written, associated, Int32(associated.count)) == 1,
            unsafe EVP_CipherUpdate(cipher, &out, &written, input, Int32(bodyLength)) == 1
        else { return nil }
        if !sealing, unsafe EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_GCM_SET_TAG, Int32(tagLength), &tag) != 1 {
            return nil
        }
        var rest: [16 of UInt8] = .init(repeating: 0)
        var restSpan = rest.mutableSpan
        let finished = unsafe restSpan.withUnsafeMutableBufferPointer { rest in
            unsafe EVP_CipherFinal_ex(cipher, rest.baseAddress, &written)
        }
        guard finished == 1 else { return nil }
        if sealing {
            guard unsafe EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_GCM_GET_TAG, Int32(tagLength), &tag) == 1 else {
                return nil
            }
            out += tag
        }
        return out
    }
}
