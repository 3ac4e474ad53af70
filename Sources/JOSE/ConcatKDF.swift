internal import SwitchyardCrypto

/// The key derivation of ECDH-ES (RFC 7518 section 4.6.2), for keys of at most 256 bits: one digest.
enum ConcatKDF {
    /// - Parameters:
    ///   - agreement: the secret that both sides computed.
    ///   - algorithm: the name of the algorithm that the key is for.
    ///   - length: of the key, in bytes.
    ///   - partyU: the producer's name (`apu`), and `partyV` the recipient's (`apv`).
    static func key(
        from agreement: Secret, algorithm: String, length: Int, partyU: [UInt8] = [], partyV: [UInt8] = []
    ) -> Secret {
        precondition(length <= 32, "one digest of SHA-256 is 32 bytes")
        var input = number(1) + agreement.exposedBytes
        for name in [Array(algorithm.utf8), partyU, partyV] { input += number(name.count) + name }
        input += number(length * 8)
        return Secret(Array(SHA256Digest(of: input).bytes.prefix(length)))
    }

    /// 32 bits, the most significant ones first.
    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
