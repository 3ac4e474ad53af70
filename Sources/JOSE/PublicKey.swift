internal import Glibc
internal import SwitchyardCJOSE
public import SwitchyardCrypto
public import SwitchyardJSON

/// The reason why a JSON object is not the public key of an app.
public enum PublicKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not `"kty": "EC"` with `"crv": "P-256"` and coordinates of 32 bytes.
    case notP256
    /// It holds the private part, which should have stayed with its owner.
    case isPrivate
    /// `use`, `key_ops` or `alg` says that it is for something else.
    case forSomethingElse
    /// The point is not on the curve.
    case notOnCurve

    public var description: String {
        switch self {
        case .notP256: "has to be a public P-256 key as a JWK: kty \"EC\", crv \"P-256\", x and y"
        case .isPrivate: "holds a private key: send the public part only, and make a new key"
        case .forSomethingElse: "says in use, key_ops or alg that it is for something else"
        case .notOnCurve: "is no point on the curve P-256"
        }
    }
}

/// The public P-256 key of an app (RFC 7517, RFC 7518 section 6.2): results are sealed to it, and proofs are checked
/// with it. A value; safe from any thread.
public struct PublicKey: Hashable, Sendable {
    /// The JWK with exactly the members that a public key needs, in the order of their names: the input of its
    /// thumbprint (RFC 7638 section 3).
    public let jwk: String

    public init(_ json: JSONObject) throws(PublicKeyError) {
        guard json["kty"] == "EC", json["crv"] == "P-256", let x = Self.coordinate(json["x"]),
            let y = Self.coordinate(json["y"])
        else { throw .notP256 }
        guard json["d"] == nil else { throw .isPrivate }
        guard Self.isForThis(json) else { throw .forSomethingElse }
        jwk = #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
        guard JOSEKey(jwk: Array(jwk.utf8)) != nil else { throw .notOnCurve }
    }

    /// Reads back what ``jwk`` gave; nil for anything else.
    public init?(jwk: String) {
        guard let json = (try? JSONValue.parse(Array(jwk.utf8)))?.object, let key = try? PublicKey(json) else {
            return nil
        }
        self = key
    }

    /// The key's name by its value (RFC 7638), as a digest.
    public var thumbprint: SHA256Digest { SHA256Digest(of: jwk) }

    /// The JWK for a request.
    public var json: JSONObject { (try? JSONValue.parse(Array(jwk.utf8)))?.object ?? [:] }

    /// Encrypts to the holder of the private key: a compact JWE with `ECDH-ES` and `A256GCM` (RFC 7518 sections 4.6,
    /// 5.3).
    /// - Returns: nil only when memory is short.
    public func seal(_ plaintext: [UInt8]) -> String? {
        guard let key = JOSEKey(jwk: Array(jwk.utf8)),
            let header = JOSEHeader([("alg", "ECDH-ES"), ("enc", "A256GCM")])
        else { return nil }
        // libcjose writes to the error here without asking whether there is one.
        var error = unsafe cjose_err()
        let made = unsafe key.lend { key in
            unsafe header.lend { unsafe cjose_jwe_encrypt(key, $0, plaintext, plaintext.count, &error) }
        }
        guard let jwe = unsafe made else { return nil }
        defer { unsafe cjose_jwe_release(jwe) }
        guard let text = unsafe cjose_jwe_export(jwe, &error) else { return nil }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }

    /// A coordinate in its one form; nil when it is no 32 bytes.
    private static func coordinate(_ value: JSONValue?) -> String? {
        guard let bytes = value?.string.flatMap({ Base64URL.decode($0) }), bytes.count == 32 else { return nil }
        return Base64URL.encode(bytes)
    }

    /// The key has two purposes, so its members must exclude neither.
    private static func isForThis(_ json: JSONObject) -> Bool {
        if let use = json["use"], use != "enc", use != "sig" { return false }
        if let algorithm = json["alg"], algorithm != "ECDH-ES", algorithm != "ES256" { return false }
        guard let operations = json["key_ops"] else { return true }
        guard let names = operations.array?.map(\.string) else { return false }
        // WebCrypto exports the public half of an ECDH key with an empty list: that half alone permits no operation.
        return names.isEmpty || !Set(names).isDisjoint(with: ["deriveKey", "deriveBits", "verify"])
    }
}
