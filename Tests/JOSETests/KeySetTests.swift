import SwitchyardCrypto
import SwitchyardJSON
import Testing

@testable import SwitchyardJOSE

@Suite("The keys of an issuer") struct KeySetTests {
    /// RFC 8037 appendix A.2.
    private static let ed25519: JSONObject = [
        "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    ]
    /// RFC 8037 appendix A.4.
    private static let signed =
        "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4k"
        + "i4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"

    private func verdict(_ keys: [JSONObject], _ compact: String = signed) throws -> SignatureError? {
        let set = try #require(KeySet(["keys": .array(keys.map { .object($0) })]))
        return try set.verify(CompactJWS(compact), .edDSA, keyID: nil).failure
    }

    @Test("the signature of RFC 8037 appendix A.4 is accepted, and with a changed byte it is not")
    func example() throws {
        #expect(try verdict([Self.ed25519]) == nil)
        let payload = Self.signed.replacing("RXhh", with: "RXhi")
        #expect(try verdict([Self.ed25519], payload) == .wrongSignature)
        #expect(try verdict([Self.ed25519], String(Self.signed.dropLast()) + "A") != nil)
        #expect(try verdict([Self.ed25519], Self.signed + "=") == .wrongSignature)
    }

    static let strange: [JSONObject] = [
        ["crv": "Ed448"], ["crv": "X25519"], ["kty": "EC"], ["x": ""], ["x": 1], ["use": "enc"], ["alg": "ES256"],
        ["x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHUQ"], ["x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo="],
        ["x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURoA"], ["key_ops": ["sign"]], ["alg": 7],
    ]

    @Test("a key on another curve, for something else or of another length is passed over", arguments: strange)
    func passedOver(members: JSONObject) throws {
        var key = Self.ed25519
        for (name, value) in members.members { key[name] = value }
        #expect(try verdict([key]) == .noKey)
        #expect(try verdict([key, Self.ed25519]) == nil)
    }

    @Test("a malformed set of keys is refused")
    func noSet() {
        #expect(KeySet([:]) == nil)
        #expect(KeySet(["keys": [:]]) == nil)
        #expect(KeySet(["keys": ["x", 1, []]]) != nil)
    }

    /// A number of so many bits: its first and its last bit are set.
    private static func number(bits: Int) -> String {
        var bytes = [UInt8](repeating: 0, count: (bits + 7) / 8)
        bytes[0] |= 1 << UInt8((bits - 1) % 8)
        bytes[bytes.count - 1] |= 1
        return Base64URL.encode(bytes)
    }

    private static func rsa(modulus: Int = 2048, exponent: Int = 17) -> JSONObject {
        ["kty": "RSA", "n": .string(number(bits: modulus)), "e": .string(number(bits: exponent))]
    }

    @Test("an RSA key that is dear to verify with is passed over")
    func dear() throws {
        func count(_ key: JSONObject) throws -> Int { try #require(KeySet(["keys": [.object(key)]])).keys.count }
        #expect(try count(Self.rsa()) == 1)
        #expect(try count(Self.rsa(modulus: 8192, exponent: 32)) == 1)
        #expect(try count(Self.rsa(modulus: 3072, exponent: 3072)) == 0)
        #expect(try count(Self.rsa(exponent: 33)) == 0)
        #expect(try count(Self.rsa(exponent: 1)) == 0)
        #expect(try count(Self.rsa(modulus: 8193)) == 0)
        for (name, even) in [("e", "AQAA"), ("n", Self.number(bits: 2048).dropLast() + "A"), ("e", ""), ("e", "=")] {
            var key = Self.rsa()
            key[name] = .string(even)
            #expect(try count(key) == 0, "\(name): \(even)")
        }
    }

    @Test("of a set some keys are kept, and for one signature some are tried, also where all have one ID")
    func crowd() throws {
        for id in [nil, "one"] as [String?] {
            var key = Self.ed25519
            key["kid"] = id.map { .string($0) }
            let keys =
                [JSONValue](repeating: .object(Self.rsa()), count: 3)
                + [JSONValue](repeating: .object(key), count: 1000)
            let set = try #require(KeySet(["keys": .array(keys)]))
            #expect(set.keys.count == 64)
            #expect(set.candidates(keyID: id, .edDSA) == Array(set.keys[3..<19]))
        }
    }

    @Test("a private part that an issuer publishes by mistake is not kept")
    func privatePart() throws {
        var key = Self.ed25519
        key["d"] = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"
        let set = try #require(KeySet(["keys": [.object(key)]]))
        #expect(set.keys.map(\.key.numbers) == [PublicNumbers(jwk: Self.ed25519)])
    }
}
