import SwitchyardCrypto
import SwitchyardJOSE
import SwitchyardJSON
import Testing

/// A key pair of the test issuer.
struct TestKey: Sendable, CustomTestStringConvertible {
    let id: String?
    private let pair: KeyPair?

    init(_ kind: KeyKind, rsaBits: Int = 2048, id: String?) {
        self.init(KeyPair(generating: kind, rsaBits: rsaBits), id: id)
    }

    private init(_ pair: KeyPair?, id: String?) {
        self.pair = pair
        self.id = id
    }

    // Made once: generating RSA keys is slow.
    static let rsa = TestKey(.rsa, id: "rsa")
    static let otherRSA = TestKey(.rsa, id: "rsa-2")
    static let shortRSA = TestKey(.rsa, rsaBits: 1024, id: "short")
    static let p256 = TestKey(.ec(.p256), id: "p256")
    static let p384 = TestKey(.ec(.p384), id: "p384")
    static let p521 = TestKey(.ec(.p521), id: "p521")
    static let ed25519 = TestKey(.ed25519, id: "ed25519")

    /// The key's algorithm if a test names none.
    var defaultAlgorithm: String { pair?.publicKey.numbers.kind == .ed25519 ? "EdDSA" : "RS256" }

    var testDescription: String { id ?? "no key ID" }

    /// The same key under another key ID.
    func named(_ id: String?) -> TestKey { TestKey(pair, id: id) }

    /// The public key, with more members.
    func json(_ more: JSONObject = [:]) -> JSONValue {
        var object = pair?.publicKey.numbers.jwk ?? [:]
        object["kid"] = id.map { .string($0) }
        for member in more.members { object[member.name] = member.value }
        return .object(object)
    }

    /// A JWS in compact serialization.
    func sign(_ claims: JSONObject, _ algorithm: String) -> String {
        guard let pair, let algorithm = SigningAlgorithm(rawValue: algorithm) else { return "" }
        let header: JSONObject = id.map { ["kid": .string($0)] } ?? [:]
        return CompactJWS.sign(JSONValue.object(claims).serialized, header: header, with: pair, algorithm) ?? ""
    }

    /// The classic forgery: an HMAC with the public key as its secret.
    func signAsHMAC(_ claims: JSONObject) -> String {
        let signed = pretend(claims, "HS256", signature: "").dropLast()
        return "\(signed).\(Base64URL.encode(HMACSHA256.code(for: Array(signed.utf8), key: json().serialized)))"
    }

    /// A token with the name of another algorithm in its header.
    func pretend(_ claims: JSONObject, _ algorithm: String, signature: String = "AAAA") -> String {
        var header: JSONObject = ["alg": .string(algorithm)]
        header["kid"] = id.map { .string($0) }
        let parts = [header, claims].map { Base64URL.encode(JSONValue.object($0).serialized) }
        return "\(parts[0]).\(parts[1]).\(signature)"
    }
}
