import SwitchyardCrypto
import Testing

@Suite("Key ring") struct KeyRingTests {
    @Test("sealed bytes open in their own context", arguments: [0, 1, 16, 1000])
    func roundTrip(count: Int) throws {
        let ring = KeyRing.ephemeral()
        let plaintext = Random.bytes(count)
        #expect(try ring.open(ring.seal(plaintext, context: "r1/verifier"), context: "r1/verifier") == plaintext)
    }

    @Test("a value moved to another context does not open")
    func context() {
        let ring = KeyRing.ephemeral()
        let sealed = ring.seal([1, 2, 3], context: "r1/verifier")
        #expect(throws: SealError.notAuthentic) { try ring.open(sealed, context: "r2/verifier") }
    }

    @Test("a change of any one byte is noticed")
    func changed() {
        let ring = KeyRing.ephemeral()
        let sealed = ring.seal([1, 2, 3], context: "c")
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(throws: SealError.self, "byte \(index)") { try ring.open(changed, context: "c") }
        }
    }

    @Test("bytes that are no sealed value are refused", arguments: [0, 1, 28, 29, 64])
    func rubbish(count: Int) {
        #expect(throws: SealError.notAuthentic) {
            try KeyRing.ephemeral().open([UInt8](repeating: 0, count: count), context: "c")
        }
    }

    @Test("the newest key seals, all open, and a key that is gone is named")
    func rotation() throws {
        let old = try #require(KeyRing.Key(id: "k1", secret: Secret(Random.bytes(32))))
        let new = try #require(KeyRing.Key(id: "k2", secret: Secret(Random.bytes(32))))
        let before = try #require(KeyRing([old]))
        let both = try #require(KeyRing([new, old]))
        let after = try #require(KeyRing([new]))
        #expect(try both.open(before.seal([7], context: "c"), context: "c") == [7])
        #expect(try after.open(both.seal([8], context: "c"), context: "c") == [8])
        #expect(throws: SealError.unknownKey(id: "k1")) { try after.open(before.seal([7], context: "c"), context: "c") }
    }

    @Test("a ring tells which values it has a key for")
    func keyOfAValue() throws {
        let old = try #require(KeyRing.Key(id: "k1", secret: Secret(Random.bytes(32))))
        let new = try #require(KeyRing.Key(id: "k10", secret: Secret(Random.bytes(32))))
        let sealed = try #require(KeyRing([old])).seal([1], context: "c")
        #expect(try #require(KeyRing([new, old])).missingKey(of: sealed) == nil)
        #expect(try #require(KeyRing([new])).missingKey(of: sealed) == "k1")
        #expect(try #require(KeyRing([new])).missingKey(of: []) == nil)
        for rubbish in [[0], [0, 1, 2], [2], [2, 0x6B], [255, 1]] as [[UInt8]] {
            #expect(try #require(KeyRing([old])).missingKey(of: rubbish) == "")
        }
        #expect(try #require(KeyRing([old])).missingKey(of: [3, 0x6B, 0x0A, 0x22, 0, 0]) == "k??")
    }

    @Test("a key has an id of 1 to 32 bytes and 32 bytes of secret")
    func keys() {
        let secret = Secret(Random.bytes(32))
        #expect(KeyRing.Key(id: "", secret: secret) == nil)
        #expect(KeyRing.Key(id: String(repeating: "k", count: 33), secret: secret) == nil)
        #expect(KeyRing.Key(id: "k", secret: Secret(Random.bytes(16))) == nil)
        #expect(KeyRing([]) == nil)
    }

    @Test("bytes that the last key sealed open after others have come")
    func lastKey() throws {
        let own = KeyRing.Key.ephemeral()
        let configured = try #require(KeyRing.Key(id: "k1", secret: Secret(Random.bytes(32))))
        let (before, after) = (KeyRing([], last: own), KeyRing([configured], last: own))
        #expect(try after.open(before.seal([1, 2, 3], context: "c"), context: "c") == [1, 2, 3])
        #expect(throws: SealError.unknownKey(id: "k1")) {
            try before.open(after.seal([1], context: "c"), context: "c")
        }
    }

    @Test("signed bytes read back, with any key of the ring", arguments: [0, 1, 64, 1000])
    func signing(count: Int) throws {
        let old = try #require(KeyRing.Key(id: "k1", secret: Secret(Random.bytes(32))))
        let new = try #require(KeyRing.Key(id: "k2", secret: Secret(Random.bytes(32))))
        let bytes = Random.bytes(count)
        let signed = try #require(KeyRing([old])).signing(bytes)
        #expect(try #require(KeyRing([new, old])).verifying(signed[...]) == bytes)
        #expect(try #require(KeyRing([old])).verifying(([9] + signed)[1...]) == bytes, "a slice begins anywhere")
        #expect(throws: SealError.unknownKey(id: "k1")) { try #require(KeyRing([new])).verifying(signed[...]) }
    }

    @Test("a change of any one bit of signed bytes is noticed, and so is a missing or a further byte")
    func changedSignature() {
        let ring = KeyRing.ephemeral()
        let signed = ring.signing([1, 2, 3])
        for index in signed.indices {
            for bit in 0..<8 {
                var changed = signed
                changed[index] ^= 1 << UInt8(bit)
                #expect(throws: SealError.self, "byte \(index)") { try ring.verifying(changed[...]) }
            }
        }
        for count in 0..<signed.count {
            #expect(throws: SealError.self) { try ring.verifying(signed.prefix(count)) }
        }
        #expect(throws: SealError.notAuthentic) { try ring.verifying((signed + [0])[...]) }
    }

    @Test("a key of the same name and another secret has not signed it")
    func foreignSignature() throws {
        let mine = try #require(KeyRing.Key(id: "k1", secret: Secret(Random.bytes(32))))
        let other = try #require(KeyRing.Key(id: "k1", secret: Secret(Random.bytes(32))))
        let signed = try #require(KeyRing([mine])).signing([1])
        #expect(throws: SealError.notAuthentic) { try #require(KeyRing([other])).verifying(signed[...]) }
    }
}
