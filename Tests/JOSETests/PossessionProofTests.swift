import SwitchyardCrypto
import SwitchyardJSON
import Testing

@testable import SwitchyardJOSE

@Suite("Proofs of possession (RFC 9449)") struct PossessionProofTests {
    private static let now: Int64 = 1_800_000_000
    private static let url = "https://login.example:8444/v1/requests/abc"
    private let key: PrivateKey

    init() throws {
        key = try #require(PrivateKey())
    }

    private var expected: PossessionProof {
        PossessionProof(
            thumbprint: key.publicKey.thumbprint, method: "GET", urls: [Self.url], now: Self.now, token: "token")
    }

    private func proof(
        method: String = "GET", url: String = url, now: Int64 = now, token: String = "token"
    ) throws -> String {
        try #require(key.makeProof(method: method, url: url, now: now, token: token))
    }

    @Test("a proof for the call is accepted, and each has its own id")
    func accepted() throws {
        let first = try expected.check(proof())
        #expect(try expected.check(proof()) != first)
    }

    @Test("a proof has the hash of a token and a nonce only where there are such")
    func optionalClaims() throws {
        func claims(token: String?, nonce: String?) throws -> JSONObject {
            let proof = try #require(
                key.makeProof(method: "POST", url: Self.url, now: Self.now, token: token, nonce: nonce))
            return try #require(JSONValue.parse(CompactJWS(proof).payload).object)
        }
        let plain = try claims(token: nil, nonce: nil)
        #expect(Set(plain.members.map(\.name)) == ["jti", "htm", "htu", "iat"])
        let full = try claims(token: "t", nonce: "n-1")
        #expect(full["nonce"] == "n-1")
        #expect(full["ath"] == .string(Base64URL.encode(SHA256Digest(of: "t").bytes)))
    }

    @Test(
        "the address counts as RFC 3986 compares it, without query and fragment",
        arguments: [
            "HTTPS://LOGIN.example:8444/v1/requests/abc", "https://login.example:8444/v1/requests/abc?seen=pending",
            "https://login.example:8444/v1/requests/abc#x",
        ])
    func sameAddress(url: String) throws {
        _ = try expected.check(proof(url: url))
    }

    @Test("a default port is the same as none")
    func defaultPort() throws {
        var expected = expected
        expected.urls = ["https://login.example/v1/requests/abc"]
        _ = try expected.check(proof(url: "https://login.example:443/v1/requests/abc"))
    }

    @Test("a proof for another call is refused")
    func otherCall() throws {
        #expect(throws: PossessionProofError.wrongMethod) { try expected.check(proof(method: "DELETE")) }
        for url in [Self.url + "/release", "https://other.example:8444/v1/requests/abc", "/v1/requests/abc", ""] {
            #expect(throws: PossessionProofError.wrongURL) { try expected.check(proof(url: url)) }
        }
        #expect(throws: PossessionProofError.wrongToken) { try expected.check(proof(token: "another")) }
    }

    @Test(
        "a proof is good for a minute to either side",
        arguments: [(-61, .tooOld), (-60, nil), (60, nil), (61, .fromTheFuture)] as [(Int64, PossessionProofError?)])
    func age(offset: Int64, error: PossessionProofError?) throws {
        let proof = try proof(now: Self.now + offset)
        if let error {
            #expect(throws: error) { try expected.check(proof) }
        } else {
            _ = try expected.check(proof)
        }
    }

    @Test("another key is refused, also with a right signature of its own")
    func otherKey() throws {
        let other = try #require(PrivateKey())
        let proof = try #require(other.makeProof(method: "GET", url: Self.url, now: Self.now, token: "token"))
        #expect(throws: PossessionProofError.wrongKey) { try expected.check(proof) }
    }

    @Test("a changed claim has a wrong signature, and the header cannot name another algorithm")
    func changed() throws {
        let parts = try proof().split(separator: ".").map(String.init)
        func put(_ index: Int, _ name: String, _ value: JSONValue) throws -> String {
            let bytes = try #require(Base64URL.decode(parts[index]))
            var object = try #require(try JSONValue.parse(bytes).object)
            object[name] = value
            var changed = parts
            changed[index] = Base64URL.encode(JSONValue.object(object).serialized)
            return changed.joined(separator: ".")
        }
        #expect(throws: PossessionProofError.wrongSignature) { try expected.check(put(1, "jti", "other")) }
        #expect(throws: PossessionProofError.missingID) { try expected.check(put(1, "jti", 7)) }
        #expect(throws: PossessionProofError.malformed) { try expected.check(put(1, "iat", "now")) }
        #expect(throws: PossessionProofError.algorithmNotAllowed) { try expected.check(put(0, "alg", "none")) }
        #expect(throws: PossessionProofError.algorithmNotAllowed) { try expected.check(put(0, "alg", "HS256")) }
        #expect(throws: PossessionProofError.wrongType) { try expected.check(put(0, "typ", "JWT")) }
        #expect(throws: PossessionProofError.wrongType) { try expected.check(put(0, "crit", ["exp"])) }
    }

    @Test(
        "what is no JWS is refused",
        arguments: ["", "..", "a.b.c", "e30.e30", String(repeating: "A", count: 9000), "e30.W10.AA"])
    func malformed(text: String) {
        #expect(throws: PossessionProofError.malformed) { try expected.check(text) }
    }
}
