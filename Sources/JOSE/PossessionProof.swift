public import SwitchyardCrypto
internal import SwitchyardJSON
internal import SwitchyardText

/// The reason why a proof of possession is not accepted. No input is in it.
public enum PossessionProofError: String, Error, Hashable, Sendable {
    case malformed = "is no JWS with a JSON header and payload"
    case wrongType = "has another type than dpop+jwt"
    case algorithmNotAllowed = "is not signed with ES256"
    case wrongKey = "is made with another key than the result_key"
    case wrongSignature = "has a wrong signature"
    case wrongMethod = "is for another method"
    case wrongURL = "is for another address"
    case tooOld = "is too old, or the clocks differ"
    case fromTheFuture = "is from the future: the clocks differ"
    case wrongToken = "is for another token"
    case missingID = "has no jti of 1 to 256 bytes"
}

/// The values that a proof must have (RFC 9449 section 4.3). A value; safe from any thread.
public struct PossessionProof: Sendable {
    /// In bytes.
    public static let maximumLength = 8 * 1024
    /// Seconds by which a proof may be old, or ahead of our clock.
    public static let tolerance: Int64 = 60

    public var thumbprint: SHA256Digest
    public var method: String
    /// The addresses that the request may be known by, without query.
    public var urls: [String]
    /// Seconds since 1970.
    public var now: Int64
    public var token: String

    public init(thumbprint: SHA256Digest, method: String, urls: [String], now: Int64, token: String) {
        self.thumbprint = thumbprint
        self.method = method
        self.urls = urls
        self.now = now
        self.token = token
    }

    /// Judges the value of one `DPoP` header.
    /// - Returns: a digest of the proof's `jti`, for the memory of used proofs.
    public func check(_ compact: String) throws(PossessionProofError) -> SHA256Digest {
        guard compact.utf8.count <= Self.maximumLength, let jws = try? CompactJWS(compact),
            let claims = (try? JSONValue.parse(jws.payload))?.object
        else { throw .malformed }
        let header = jws.header
        guard header["typ"] == "dpop+jwt", header["crit"] == nil else { throw .wrongType }
        guard header["alg"] == "ES256" else { throw .algorithmNotAllowed }
        guard let jwk = header["jwk"]?.object, let key = try? PublicKey(jwk), key.thumbprint == thumbprint else {
            throw .wrongKey
        }
        // Cheap checks first: the signature is the expensive one.
        try check(claims)
        guard let jti = claims["jti"]?.string, (1...256).contains(jti.utf8.count) else { throw .missingID }
        guard jws.isSigned(by: key.key, .es256) else { throw .wrongSignature }
        return SHA256Digest(of: jti)
    }

    private func check(_ claims: JSONObject) throws(PossessionProofError) {
        guard claims["htm"]?.string?.isExactly(method) == true else { throw .wrongMethod }
        guard let url = claims["htu"]?.string.map(Self.normalized),
            urls.contains(where: { Self.normalized($0).isExactly(url) })
        else {
            throw .wrongURL
        }
        guard let issued = claims[numericDate: "iat"] else { throw .malformed }
        guard issued >= now - Self.tolerance else { throw .tooOld }
        guard issued <= now + Self.tolerance else { throw .fromTheFuture }
        // Optional, unlike at an issuer's API: the address of a proof names the one request, and so its one token.
        if let hash = claims["ath"] {
            let expected = Base64URL.encode(SHA256Digest(of: token).bytes)
            guard let hash = hash.string, constantTimeEqual(Array(hash.utf8), Array(expected.utf8)) else {
                throw .wrongToken
            }
        }
    }

    /// Scheme and host without regard to case, a default port left out (RFC 9449 section 4.3, RFC 3986 section 6.2.3);
    /// query and fragment do not count.
    private static func normalized(_ url: String) -> String {
        let address = url.prefix { $0 != "?" && $0 != "#" }
        guard let scheme = address.firstRange(of: "://") else { return String(address) }
        let authority = address[scheme.upperBound...].prefix { $0 != "/" }
        var host = authority.asciiLowercased
        let name = address[..<scheme.lowerBound].asciiLowercased
        for (scheme, port) in [("https", ":443"), ("http", ":80")] where name == scheme && host.hasSuffix(port) {
            host.removeLast(port.count)
        }
        let path = address[authority.endIndex...]
        return "\(name)://\(host)\(path.isEmpty ? "/" : path)"
    }
}
