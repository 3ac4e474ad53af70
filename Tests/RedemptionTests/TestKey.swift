import Glibc
import SwitchyardCJOSE
import SwitchyardCOpenSSL
import SwitchyardCrypto
import SwitchyardJSON
import Testing

/// A key pair of the test issuer, as text: libcjose's own keys must not go from thread to thread.
struct TestKey: Sendable, CustomTestStringConvertible {
    let id: String?
    private let privateJWK: String
    private let publicJWK: String
    /// Of a key on Ed25519, which libcjose does not know: its 32 bytes.
    private var seed: [UInt8]?

    enum Kind {
        case rsa(bits: Int)
        case ec(cjose_jwk_ec_curve)
    }

    init(_ kind: Kind, id: String?) {
        self.id = id
        let exponent: [UInt8] = [1, 0, 1]
        let key =
            switch kind {
            case .rsa(let bits): unsafe cjose_jwk_create_RSA_random(bits, exponent, exponent.count, nil)
            case .ec(let curve): unsafe cjose_jwk_create_EC_random(curve, nil)
            }
        if let id { unsafe cjose_jwk_set_kid(key, id, id.utf8.count, nil) }
        privateJWK = unsafe Self.take(cjose_jwk_to_json(key, true, nil))
        publicJWK = unsafe Self.take(cjose_jwk_to_json(key, false, nil))
        unsafe cjose_jwk_release(key)
    }

    // Made once: generating RSA keys is slow.
    static let rsa = TestKey(.rsa(bits: 2048), id: "rsa")
    static let otherRSA = TestKey(.rsa(bits: 2048), id: "rsa-2")
    static let shortRSA = TestKey(.rsa(bits: 1024), id: "short")
    static let p256 = TestKey(.ec(CJOSE_JWK_EC_P_256), id: "p256")
    static let p384 = TestKey(.ec(CJOSE_JWK_EC_P_384), id: "p384")
    static let p521 = TestKey(.ec(CJOSE_JWK_EC_P_521), id: "p521")

    /// RFC 8037 appendix A.1.
    static let ed25519 = {
        let x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
        let key = TestKey(
            id: "ed25519", privateJWK: "", publicJWK: #"{"kty":"OKP","crv":"Ed25519","x":"\#(x)"}"#,
            seed: Base64URL.decode("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"))
        return key
    }()

    /// What the key signs with where a test does not care.
    var defaultAlgorithm: String { seed == nil ? "RS256" : "EdDSA" }

    var testDescription: String { id ?? "no key ID" }

    /// The same key under another key ID.
    func named(_ id: String?) -> TestKey {
        TestKey(id: id, privateJWK: privateJWK, publicJWK: publicJWK, seed: seed)
    }

    private init(id: String?, privateJWK: String, publicJWK: String, seed: [UInt8]? = nil) {
        self.id = id
        self.seed = seed
        self.privateJWK = privateJWK
        self.publicJWK = publicJWK
    }

    /// The public key, with more members.
    func json(_ more: JSONObject = [:]) -> JSONValue {
        var object = (try? JSONValue.parse(Array(publicJWK.utf8)))?.object ?? [:]
        object["kid"] = id.map { .string($0) }
        for member in more.members { object[member.name] = member.value }
        return .object(object)
    }

    /// A JWS in compact serialization.
    func sign(_ claims: JSONObject, _ algorithm: String) -> String {
        if let seed { return signEd25519(claims, algorithm, seed) }
        let key = unsafe cjose_jwk_import(privateJWK, privateJWK.utf8.count, nil)
        defer { unsafe cjose_jwk_release(key) }
        return unsafe Self.sign(claims, algorithm, keyID: id, key)
    }

    private func signEd25519(_ claims: JSONObject, _ algorithm: String, _ seed: [UInt8]) -> String {
        let signed = pretend(claims, algorithm, signature: "").dropLast()
        let message = Array(signed.utf8)
        var signature = [UInt8](repeating: 0, count: 64)
        var count = signature.count
        let key = unsafe EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count)
        let context = unsafe EVP_MD_CTX_new()
        defer {
            unsafe EVP_MD_CTX_free(context)
            unsafe EVP_PKEY_free(key)
        }
        unsafe EVP_DigestSignInit(context, nil, nil, nil, key)
        unsafe EVP_DigestSign(context, &signature, &count, message, message.count)
        return "\(signed).\(Base64URL.encode(signature))"
    }

    /// The classic forgery: an HMAC whose secret is the public key.
    func signAsHMAC(_ claims: JSONObject) -> String {
        let key = unsafe cjose_jwk_create_oct_spec(Array(publicJWK.utf8), publicJWK.utf8.count, nil)
        defer { unsafe cjose_jwk_release(key) }
        return unsafe Self.sign(claims, "HS256", keyID: id, key)
    }

    /// A token whose header names an algorithm that nobody used.
    func pretend(_ claims: JSONObject, _ algorithm: String, signature: String = "AAAA") -> String {
        var header: JSONObject = ["alg": .string(algorithm)]
        header["kid"] = id.map { .string($0) }
        let parts = [header, claims].map { Base64URL.encode(JSONValue.object($0).serialized) }
        return "\(parts[0]).\(parts[1]).\(signature)"
    }

    private static func sign(
        _ claims: JSONObject, _ algorithm: String, keyID: String?, _ key: OpaquePointer?
    ) -> String {
        let header = unsafe cjose_header_new(nil)
        defer { unsafe cjose_header_release(header) }
        unsafe cjose_header_set(header, "alg", algorithm, nil)
        if let keyID { unsafe cjose_header_set(header, "kid", keyID, nil) }
        let payload = JSONValue.object(claims).serialized
        let jws = unsafe cjose_jws_sign(key, header, payload, payload.count, nil)
        defer { unsafe cjose_jws_release(jws) }
        var text: UnsafePointer<CChar>?
        unsafe cjose_jws_export(jws, &text, nil)
        return unsafe text.map { unsafe String(cString: $0) } ?? ""
    }

    private static func take(_ text: UnsafeMutablePointer<CChar>?) -> String {
        defer { unsafe free(text) }
        return unsafe text.map { unsafe String(cString: $0) } ?? ""
    }
}
