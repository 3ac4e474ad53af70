import SwitchyardCrypto
import Testing

@Suite("Ed25519") struct Ed25519Tests {
    /// RFC 8032 section 7.1: public key, message, signature.
    static let vectors: [(key: String, message: String, signature: String)] = [
        (
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595b"
                + "be24655141438e7a100b"
        ),
        (
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb430"
                + "2aeeb00d291612bb0c00"
        ),
        (
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716e"
                + "d28dc027beceea1ec40a"
        ),
    ]

    @Test("the signatures of RFC 8032 are accepted for their messages and keys, and for no other", arguments: vectors)
    func examples(key: String, message: String, signature: String) throws {
        let signer = try #require(publicKey(bytes(key)))
        #expect(signer.isSigner(of: bytes(message), signature: bytes(signature), .ed25519))
        #expect(!signer.isSigner(of: bytes(message) + [0], signature: bytes(signature), .ed25519))
        for place in [0, 31, 32, 63] {
            var changed = bytes(signature)
            changed[place] ^= 1
            #expect(!signer.isSigner(of: bytes(message), signature: changed, .ed25519))
        }
        for other in Self.vectors where other.key != key {
            let stranger = try #require(publicKey(bytes(other.key)))
            #expect(!stranger.isSigner(of: bytes(message), signature: bytes(signature), .ed25519))
        }
    }

    @Test("a signature has one form: the group's order added to its scalar makes none")
    func malleability() throws {
        let (key, message, signature) = Self.vectors[1]
        let order = bytes("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
        var (changed, carry) = (bytes(signature), 0)
        for place in 0..<32 {
            let sum = Int(changed[32 + place]) + Int(order[place]) + carry
            changed[32 + place] = UInt8(sum & 0xFF)
            carry = sum >> 8
        }
        let signer = try #require(publicKey(bytes(key)))
        #expect(!signer.isSigner(of: bytes(message), signature: changed, .ed25519))
    }

    @Test("bytes of another length than a key's or a signature's are refused")
    func lengths() throws {
        #expect(publicKey([]) == nil)
        #expect(publicKey([UInt8](repeating: 1, count: 33)) == nil)
        let (key, message, signature) = Self.vectors[2]
        let signer = try #require(publicKey(bytes(key)))
        for wrong in [[], bytes(signature) + [0], Array(bytes(signature).dropLast())] {
            #expect(!signer.isSigner(of: bytes(message), signature: wrong, .ed25519))
        }
        let noPoint = try #require(publicKey([UInt8](repeating: 0xFF, count: 32)))
        #expect(!noPoint.isSigner(of: bytes(message), signature: bytes(signature), .ed25519))
    }

    static let smallOrders = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ]

    @Test("a key with which anybody could sign is none", arguments: smallOrders)
    func smallOrder(key: String) {
        #expect(publicKey(bytes(key)) == nil)
    }

    private func publicKey(_ bytes: [UInt8]) -> AsymmetricPublicKey? { AsymmetricPublicKey(.ed25519(bytes)) }

    private func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex.utf8.count, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
    }
}
