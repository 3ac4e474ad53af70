internal import SwitchyardCOpenSSL

extension KeyPair {
    /// The plaintext by RSAES-OAEP with SHA-256 in both places (`RSA-OAEP-256`, RFC 7518 section 4.3); nil for another
    /// kind of key, and when anything was changed.
    package func decryptOAEP(_ ciphertext: [UInt8]) -> Secret? {
        guard case .rsa(let modulus, _) = publicKey.numbers, ciphertext.count == modulus.count else { return nil }
        var out = [UInt8](repeating: 0, count: modulus.count)
        defer { unsafe OPENSSL_cleanse(&out, out.count) }
        var count = out.count
        let done = unsafe key.lend { key in
            guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { return false }
            defer { unsafe EVP_PKEY_CTX_free(context) }
            return unsafe EVP_PKEY_decrypt_init(context) == 1
                && EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1
                && EVP_PKEY_CTX_set_rsa_oaep_md(context, EVP_sha256()) == 1
                && EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha256()) == 1
                && EVP_PKEY_decrypt(context, &out, &count, ciphertext, ciphertext.count) == 1
        }
        return done ? Secret(Array(out.prefix(count))) : nil
    }
}
