public import SwitchyardCrypto
public import SwitchyardJSON
internal import SwitchyardText

/// The reason why a key or its certificate cannot sign for a client. No input is in it.
public enum SigningKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No private key in PEM without a password, or of a kind that is not known here.
    case noKey
    /// RSA with fewer bits than ``SigningKey/minimumRSABits``.
    case weak(bits: Int)
    /// On another curve than P-256 and P-384.
    case wrongCurve(String)
    case noCertificate
    /// The certificate is for another key.
    case foreignCertificate

    public var description: String {
        switch self {
        case .noKey: "no private key in PEM without a password, of P-256, P-384, RSA or Ed25519"
        case .weak(let bits): "an RSA key of \(bits) bits, which is too weak: \(SigningKey.minimumRSABits) is the least"
        case .wrongCurve(let name): "a key on the curve \(name), with which no assertion is signed"
        case .noCertificate: "no certificate in PEM"
        case .foreignCertificate: "the certificate is for another key than this"
        }
    }
}

/// A private key with which a client signs assertions and request objects. Safe from any thread.
public struct SigningKey: Sendable {
    public static let minimumRSABits = 2048

    /// The ID under which the client publishes it (`kid`).
    public let id: String
    /// The key's certificate with those that vouch for it; nil without one.
    let certificates: CertificateList?
    private let pair: KeyPair

    /// - Parameters:
    ///   - pem: the private key.
    ///   - certificate: in PEM, the key's own first; nil without one.
    public init(id: String, pem: Secret, certificate: [UInt8]? = nil) throws(SigningKeyError) {
        guard let pair = KeyPair(pem: pem) else { throw .noKey }
        try self.init(id: id, pair, certificate)
    }

    init(id: String, _ pair: KeyPair, _ certificate: [UInt8]? = nil) throws(SigningKeyError) {
        switch pair.publicKey.numbers {
        case .rsa(let modulus, _):
            let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
            guard bits >= Self.minimumRSABits else { throw .weak(bits: bits) }
        case .ec(.p256, _, _), .ec(.p384, _, _), .ed25519: break
        case .ec(let curve, _, _): throw .wrongCurve(curve.rawValue)
        }
        if let certificate {
            guard let list = CertificateList(pem: certificate) else { throw .noCertificate }
            guard pair.isCertified(by: list) else { throw .foreignCertificate }
            certificates = list
        } else {
            certificates = nil
        }
        self.id = id
        self.pair = pair
    }

    /// A fresh one, whose ID is its thumbprint (RFC 7638); nil when OpenSSL cannot make it.
    public init?(generating kind: Kind) {
        guard let pair = KeyPair(generating: kind.keyKind, rsaBits: 3072) else { return nil }
        let thumbprint = SHA256Digest(of: JSONValue.object(pair.publicKey.numbers.jwk).serialized)
        try? self.init(id: Base64URL.encode(thumbprint.bytes), pair)
    }

    /// The kinds that ``init(generating:)`` makes, named by their algorithms.
    public enum Kind: String, CaseIterable, Sendable {
        case p256 = "ES256"
        case p384 = "ES384"
        case rsa = "PS256"
        case ed25519 = "Ed25519"

        fileprivate var keyKind: KeyKind {
            switch self {
            case .p256: .ec(.p256)
            case .p384: .ec(.p384)
            case .rsa: .rsa
            case .ed25519: .ed25519
            }
        }
    }

    /// The private key in PEM, for its file; nil only when memory is short.
    public var pem: Secret? { pair.pem }

    public var hasCertificate: Bool { certificates != nil }

    /// The public half as a member of a JWK set (RFC 7517 section 5).
    public var published: JSONObject {
        var json = publicPart
        json["kid"] = .string(id)
        json["use"] = "sig"
        json["x5c"] = certificates.map { list in
            // Base64 with padding, unlike every other member (RFC 7517 section 4.7).
            .array(list.certificates.map { .string(Base64.encode($0)) })
        }
        return json
    }

    /// Whether two keys are the same; their ids do not count.
    public func isSameKey(as other: SigningKey) -> Bool { pair.publicKey == other.pair.publicKey }

    private var publicPart: JSONObject { pair.publicKey.numbers.jwk }

    /// The algorithm for a receiver.
    /// - Parameter announced: the algorithms of its metadata; empty where it does not say.
    public func algorithm(announced: [String]) -> SigningAlgorithm {
        switch pair.publicKey.numbers.kind {
        case .ec(.p384): .es384
        case .ec: .es256
        // RFC 9864 gave the algorithm a name of its own.
        case .ed25519: announced.contains(SigningAlgorithm.ed25519.rawValue) ? .ed25519 : .edDSA
        case .rsa:
            announced.contains(SigningAlgorithm.rs256.rawValue)
                && !announced.contains(SigningAlgorithm.ps256.rawValue) ? .rs256 : .ps256
        }
    }

    /// How a JWT names its key.
    public enum Naming: Sendable {
        /// By `kid`.
        case id
        /// By `x5t#S256`, the digest of its certificate; by `kid` for a key without one.
        case certificate
    }

    /// A compact JWS over the claims.
    /// - Parameters:
    ///   - type: the header's `typ`.
    ///   - announced: as for ``algorithm(announced:)``.
    /// - Returns: nil only when memory is short.
    public func sign(
        _ claims: JSONObject, type: String, naming: Naming = .id, announced: [String]
    ) -> String? {
        var header: JSONObject = ["typ": .string(type)]
        switch (naming, certificates) {
        case (.certificate, let list?): header["x5t#S256"] = .string(Base64URL.encode(list.thumbprint.bytes))
        case (.certificate, nil), (.id, _): header["kid"] = .string(id)
        }
        return CompactJWS.sign(
            JSONValue.object(claims).serialized, header: header, with: pair, algorithm(announced: announced))
    }
}

extension SigningKey: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        left.id.isExactly(right.id) && left.isSameKey(as: right) && left.certificates == right.certificates
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(pair.publicKey)
    }
}
