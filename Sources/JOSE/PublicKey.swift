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
    let key: AsymmetricPublicKey

    public init(_ json: JSONObject) throws(PublicKeyError) {
        guard json["kty"] == "EC", json["crv"] == "P-256", let numbers = PublicNumbers(jwk: json) else {
            throw .notP256
        }
        guard json["d"] == nil else { throw .isPrivate }
        guard Self.isForThis(json) else { throw .forSomethingElse }
        guard let key = AsymmetricPublicKey(numbers) else { throw .notOnCurve }
        self.key = key
    }

    init(_ key: AsymmetricPublicKey) {
        self.key = key
    }

    /// Reads the form of ``jwk``; nil for anything else.
    public init?(jwk: String) {
        guard let json = (try? JSONValue.parse(Array(jwk.utf8)))?.object, let key = try? PublicKey(json) else {
            return nil
        }
        self = key
    }

    /// The JWK for a request, with exactly the members that a public key needs.
    public var json: JSONObject { key.numbers.jwk }

    /// The same as text, which is the input of the thumbprint.
    public var jwk: String { String(decoding: JSONValue.object(json).serialized, as: UTF8.self) }

    /// The key's name by its value (RFC 7638), as a digest.
    public var thumbprint: SHA256Digest { SHA256Digest(of: jwk) }

    /// The thumbprint as text, for `dpop_jkt` and `jkt` (RFC 9449 section 10).
    public var thumbprintText: String { Base64URL.encode(thumbprint.bytes) }

    /// Encrypts to the holder of the private key: a compact JWE with `ECDH-ES` and `A256GCM` (RFC 7518 sections 4.6,
    /// 5.3).
    /// - Returns: nil only when memory is short.
    public func seal(_ plaintext: [UInt8]) -> String? {
        SealedResult.seal(plaintext, to: key)
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
