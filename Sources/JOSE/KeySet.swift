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
    /// The number of keys that are looked at. One that is unusable costs as much as another.
    static let maximumCandidates = 256
    /// The number of keys that are tried for one signature where its token names no key, or where several keys have one
    /// ID.
    static let maximumTries = 16

    let keys: [VerificationKey]

    /// Reads a JWK set. Unusable keys are skipped, as section 5 requires, and so are all after the 64th usable one and all
    /// after the 256th. nil if it is no JWK set.
    public init?(_ json: JSONObject) {
        guard let list = json["keys"]?.array else { return nil }
        var keys: [VerificationKey] = []
        for value in list.prefix(Self.maximumCandidates) where keys.count < Self.maximumKeys {
            if let key = value.object.flatMap(VerificationKey.init) { keys.append(key) }
        }
        self.keys = keys
    }

    /// The algorithms that at least one of them is for.
    public var algorithms: [SigningAlgorithm] {
        SigningAlgorithm.allCases.filter { algorithm in keys.contains { $0.fits(algorithm) } }
    }

    /// The token, once one of the keys that may have made its signature is found to have made it.
    public func verify(_ token: UnverifiedJWT) -> Result<VerifiedJWT, SignatureError> {
        guard let algorithm = SigningAlgorithm(rawValue: token.algorithm) else { return .failure(.algorithmNotAllowed) }
        return verify(token.jws, algorithm, keyID: token.keyID).map { VerifiedJWT(token) }
    }

    func verify(_ jws: CompactJWS, _ algorithm: SigningAlgorithm, keyID: String?) -> Result<Void, SignatureError> {
        let candidates = candidates(keyID: keyID, algorithm)
        if candidates.isEmpty { return .failure(.noKey) }
        return candidates.contains { jws.isSigned(by: $0.key, algorithm) } ? .success(()) : .failure(.wrongSignature)
    }

    /// The keys to try, at most 16. A key with the token's key ID is the only choice; otherwise those that fit and have
    /// no other key ID.
    func candidates(keyID: String?, _ algorithm: SigningAlgorithm) -> [VerificationKey] {
        func isNamed(_ key: VerificationKey) -> Bool {
            guard let id = key.id, let keyID else { return false }
            return id.isExactly(keyID)
        }
        let hasNamed = keys.contains(where: isNamed)
        let fitting = keys.lazy.filter { key in
            (hasNamed ? isNamed(key) : keyID == nil || key.id == nil) && key.fits(algorithm)
        }
        return Array(fitting.prefix(Self.maximumTries))
    }
}

/// A public key of an issuer that may verify signatures (RFC 7517).
struct VerificationKey: Hashable, Sendable {
    let id: String?
    /// The one algorithm that the key is for; nil when it does not say.
    let algorithm: String?
    let key: AsymmetricPublicKey

    /// nil for a key with another purpose, a weak one, and one that cannot be read. If present, `use` must be `sig` and
    /// `key_ops` hold `verify`. A curve is one of NIST's three or Ed25519.
    init?(_ json: JSONObject) {
        guard json["use"] == nil || json["use"] == "sig" else { return nil }
        if let operations = json["key_ops"] {
            guard operations.array?.contains("verify") ?? false else { return nil }
        }
        // An `alg` of another type than text names no algorithm, and must not pass for an absent one.
        guard json["alg"] == nil || json["alg"]?.string != nil else { return nil }
        guard let numbers = PublicNumbers(jwk: json), Self.isAcceptable(numbers),
            let key = AsymmetricPublicKey(numbers)
        else { return nil }
        id = json["kid"]?.string
        algorithm = json["alg"]?.string
        self.key = key
    }

    /// Whether a signature with this algorithm may be checked with this key.
    func fits(_ algorithm: SigningAlgorithm) -> Bool {
        guard key.numbers.kind == algorithm.keyKind else { return false }
        // Ed25519 has two names, and its kind of key has no other algorithm.
        return self.algorithm == nil || self.algorithm == algorithm.rawValue
            || algorithm.keyKind == .ed25519
                && self.algorithm.flatMap(SigningAlgorithm.init)?.keyKind == .ed25519
    }

    /// Whether RSA has 2048 to 8192 bits, an exponent of 2 to 32 bits, and odd numbers: a verification then takes well
    /// under a millisecond. Its time grows with the exponent, which is 3 or 65537 everywhere, and could be as long as
    /// the modulus.
    private static func isAcceptable(_ numbers: PublicNumbers) -> Bool {
        guard case .rsa(let modulus, let exponent) = numbers else { return true }
        return (2048...8192).contains(PublicNumbers.bits(modulus)) && isOdd(modulus)
            && (2...32).contains(PublicNumbers.bits(exponent)) && isOdd(exponent)
    }

    private static func isOdd(_ number: [UInt8]) -> Bool {
        (number.last ?? 0) & 1 == 1
    }
}
