internal import SwitchyardCrypto
public import SwitchyardJSON
internal import SwitchyardText

/// The keys that an issuer publishes, as far as they may verify its signatures (RFC 7517 section 5). A value; safe from
/// any thread.
///
/// An issuer may be hostile, so the cost of its keys has limits (rules: limits everywhere): the number of keys, the
/// cost of each one, and the number that is tried for one signature.
public struct KeySet: Hashable, Sendable {
    /// The number of keys that are kept of a set. Issuers publish ten and fewer.
    static let maximumKeys = 64
    /// The number of keys that are tried for one signature where its token names no key, or where several keys have one
    /// ID.
    static let maximumTries = 16

    let keys: [VerificationKey]

    /// Reads a JWK set. Unusable keys are skipped, as section 5 requires, and so are all after the 64th usable one. nil
    /// if it is no JWK set.
    public init?(_ json: JSONObject) {
        guard let list = json["keys"]?.array else { return nil }
        keys = Array(list.lazy.compactMap { $0.object.flatMap(VerificationKey.init) }.prefix(Self.maximumKeys))
    }

    /// The algorithms that at least one of them is for.
    public var algorithms: [SigningAlgorithm] {
        SigningAlgorithm.allCases.filter { algorithm in keys.contains { $0.fits(algorithm) } }
    }

    /// The places of the keys to try, at most 16. A key with the token's key ID is the only choice; otherwise those
    /// that fit and have no other key ID.
    func candidates(keyID: String?, _ algorithm: SigningAlgorithm) -> [Int] {
        func isNamed(_ place: Int) -> Bool {
            guard let id = keys[place].id, let keyID else { return false }
            return id.isExactly(keyID)
        }
        let hasNamed = keys.indices.contains(where: isNamed)
        let fitting = keys.indices.lazy.filter { [keys] place in
            (hasNamed ? isNamed(place) : keyID == nil || keys[place].id == nil) && keys[place].fits(algorithm)
        }
        return Array(fitting.prefix(Self.maximumTries))
    }
}

/// A public key of an issuer that may verify signatures (RFC 7517).
struct VerificationKey: Hashable, Sendable {
    enum Kind: Sendable {
        case rsa, p256, p384, p521, ed25519
    }

    let id: String?
    let kind: Kind
    /// The one algorithm that the key is for; nil when it does not say.
    let algorithm: String?
    /// The key as a JWK with exactly the members that a public key needs.
    let jwk: JSONObject

    /// nil for a key with another purpose, or a weak one. If present, `use` must be `sig` and `key_ops` hold `verify`.
    /// RSA has 2048 to 8192 bits and an exponent of at most 32, and a curve is one of NIST's three or Ed25519.
    init?(_ json: JSONObject) {
        guard json["use"] == nil || json["use"] == "sig" else { return nil }
        if let operations = json["key_ops"] {
            guard operations.array?.contains("verify") ?? false else { return nil }
        }
        guard let kind = Self.kind(of: json) else { return nil }
        // An `alg` of another type than text names no algorithm, and must not pass for an absent one.
        guard json["alg"] == nil || json["alg"]?.string != nil else { return nil }
        self.kind = kind
        id = json["kid"]?.string
        algorithm = json["alg"]?.string
        var jwk = JSONObject()
        for name in Self.members(of: kind) { jwk[name] = json[name] }
        self.jwk = jwk
    }

    /// Whether a signature with this algorithm may be checked with this key.
    func fits(_ algorithm: SigningAlgorithm) -> Bool {
        guard kind == algorithm.keyKind else { return false }
        // Ed25519 has two names, and of its kind of key there is no other algorithm.
        return self.algorithm == nil || self.algorithm == algorithm.rawValue
            || kind == .ed25519 && self.algorithm.flatMap(SigningAlgorithm.init)?.keyKind == .ed25519
    }

    private static func kind(of json: JSONObject) -> Kind? {
        switch (json["kty"]?.string, json["crv"]?.string) {
        case ("RSA", _): isRSA(json) ? .rsa : nil
        case ("EC", "P-256"): .p256
        case ("EC", "P-384"): .p384
        case ("EC", "P-521"): .p521
        case ("OKP", "Ed25519"): .ed25519
        default: nil
        }
    }

    private static func members(of kind: Kind) -> [String] {
        switch kind {
        case .rsa: ["kty", "n", "e"]
        case .p256, .p384, .p521: ["kty", "crv", "x", "y"]
        case .ed25519: ["kty", "crv", "x"]
        }
    }

    /// Whether both numbers are such as an RSA key has: odd, and of a size at which a verification takes well under a
    /// millisecond. Its time grows with the exponent, which is 3 or 65537 everywhere, and could be as long as the modulus.
    private static func isRSA(_ json: JSONObject) -> Bool {
        guard let modulus = number(json["n"]), let exponent = number(json["e"]) else { return false }
        return (2048...8192).contains(modulus.bits) && modulus.isOdd
            && (2...32).contains(exponent.bits) && exponent.isOdd
    }

    /// Reads a Base64urlUInt (RFC 7518 section 2); nil for another value.
    private static func number(_ value: JSONValue?) -> (bits: Int, isOdd: Bool)? {
        guard let bytes = (value?.string).flatMap({ Base64URL.decode($0) }) else { return nil }
        let significant = bytes.drop { $0 == 0 }
        guard let first = significant.first, let last = significant.last else { return nil }
        return (significant.count * 8 - first.leadingZeroBitCount, last & 1 == 1)
    }
}
