import SwitchyardCrypto
import Testing

@testable import SwitchyardJOSE

@Suite("Keys for encrypted tokens") struct DecryptionKeysTests {
    @Test("a text without the name of a key is tried with the first four keys of its kind")
    func bound() throws {
        let pairs = try (0...DecryptionKeys.maximumTries).map { _ in try #require(KeyPair(generating: .ec(.p256))) }
        // Another kind of key takes no try.
        let foreign = try #require(KeyPair(generating: .ec(.p384)))
        let keys = DecryptionKeys(
            try ([foreign] + pairs).enumerated().map {
                try #require(DecryptionKeys.Key(id: "\($0.offset)", $0.element))
            })
        for (index, pair) in pairs.enumerated() {
            let text = try #require(SealedResult.seal(Array("no JWT".utf8), to: pair.publicKey))
            #expect(throws: index < 4 ? JWTError.malformed : .undecryptable(.wrongKey)) { try keys.open(text) }
        }
    }

    @Test("an RSA key of a bit too few is none, although it fills as many bytes")
    func bits() throws {
        #expect(DecryptionKeys.Key(id: "short", try #require(KeyPair(generating: .rsa, rsaBits: 2047))) == nil)
        #expect(DecryptionKeys.Key(id: "long", try #require(KeyPair(generating: .rsa, rsaBits: 2048))) != nil)
    }
}
