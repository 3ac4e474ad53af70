internal import Glibc
internal import SwitchyardCJOSE
public import SwitchyardCrypto
internal import SwitchyardJSON

/// The fresh P-256 key of an app, for one sign-in: it opens what was sealed to its public part, and signs proofs.
///
/// Why `@unchecked Sendable`: the key never changes after it is made, and opening and signing only read it.
@safe public final class PrivateKey: @unchecked Sendable {
    public let publicKey: PublicKey
    private let key: JOSEKey

    /// nil when OpenSSL cannot make one.
    public init?() {
        guard let handle = unsafe cjose_jwk_create_EC_random(CJOSE_JWK_EC_P_256, nil) else { return nil }
        let key = unsafe JOSEKey(adopting: handle)
        guard let text = unsafe key.lend({ unsafe cjose_jwk_to_json($0, false, nil) }) else { return nil }
        defer { unsafe free(text) }
        guard let json = (try? JSONValue.parse(Array(unsafe String(cString: text).utf8)))?.object,
            let publicKey = try? PublicKey(json)
        else { return nil }
        self.key = key
        self.publicKey = publicKey
    }

    /// Reads back what ``exported`` gave, in another process mostly; nil for anything else.
    public init?(exported: Secret) {
        let bytes = exported.exposedBytes
        guard var json = (try? JSONValue.parse(bytes))?.object, json["d"] != nil, let key = JOSEKey(jwk: bytes) else {
            return nil
        }
        json["d"] = nil
        guard let publicKey = try? PublicKey(json) else { return nil }
        self.key = key
        self.publicKey = publicKey
    }

    /// The whole key as a JWK. Keep it where only its owner reads. nil only when memory is short.
    public var exported: Secret? {
        guard let text = unsafe key.lend({ unsafe cjose_jwk_to_json($0, true, nil) }) else { return nil }
        defer {
            unsafe explicit_bzero(text, strlen(text))
            unsafe free(text)
        }
        return Secret(Array(unsafe String(cString: text).utf8))
    }

    /// Opens a compact JWE that ``PublicKey/seal(_:)`` or its like made.
    /// - Returns: nil for another algorithm, another key, or anything that was changed on its way.
    public func open(_ compact: String) -> [UInt8]? {
        guard compact.utf8.count <= Self.maximumLength, Self.isExpected(compact) else { return nil }
        let bytes = Array(compact.utf8)
        // libcjose writes to the error of some calls without asking whether there is one.
        var error = unsafe cjose_err()
        let imported = unsafe bytes.withUnsafeBytes { bytes in
            unsafe cjose_jwe_import(bytes.assumingMemoryBound(to: CChar.self).baseAddress, bytes.count, &error)
        }
        guard let jwe = unsafe imported else { return nil }
        defer { unsafe cjose_jwe_release(jwe) }
        var count = 0
        let opened = unsafe key.lend { unsafe cjose_jwe_decrypt(jwe, $0, &count, &error) }
        guard let plaintext = unsafe opened else { return nil }
        defer { unsafe free(plaintext) }
        return unsafe Array(UnsafeBufferPointer(start: plaintext, count: count))
    }

    /// In bytes; results are far smaller.
    private static let maximumLength = 8 << 20

    /// The algorithms are ours to choose, not the sender's. The lengths are those of RFC 7516 section 5.2 for them;
    /// libcjose looks neither at an encrypted key that has no place here nor at the rest of an initialization vector.
    private static func isExpected(_ compact: String) -> Bool {
        let parts = compact.split(separator: ".", maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count == 5, parts[1].isEmpty, Base64URL.decode(String(parts[2]))?.count == 12,
            Base64URL.decode(String(parts[4]))?.count == 16, let bytes = Base64URL.decode(String(parts[0])),
            let header = (try? JSONValue.parse(bytes))?.object, Padding.isAbsent(in: compact)
        else { return false }
        // libcjose decodes this part of the header: the ephemeral key. Names of the parties are not used here.
        guard let epk = header["epk"]?.object, (try? PublicKey(epk)) != nil, header["apu"] == nil, header["apv"] == nil
        else { return false }
        return header["alg"] == "ECDH-ES" && header["enc"] == "A256GCM" && header["zip"] == nil
            && header["crit"] == nil
    }

    /// A proof of possession for one HTTP request (RFC 9449 section 4.2): a compact JWS with ES256.
    /// - Parameters:
    ///   - url: without query and fragment.
    ///   - now: seconds since 1970.
    ///   - token: the token that the request carries.
    /// - Returns: nil only when memory is short.
    public func makeProof(method: String, url: String, now: Int64, token: String) -> String? {
        let claims: JSONObject = [
            "jti": .string(Random.token(byteCount: 16)), "htm": .string(method), "htu": .string(url),
            "iat": .integer(now), "ath": .string(Base64URL.encode(SHA256Digest(of: token).bytes)),
        ]
        let payload = JSONValue.object(claims).serialized
        guard let header = JOSEHeader([("typ", "dpop+jwt"), ("alg", "ES256")]), header.set("jwk", json: publicKey.jwk)
        else { return nil }
        var error = unsafe cjose_err()
        let made = unsafe key.lend { key in
            unsafe header.lend { unsafe cjose_jws_sign(key, $0, payload, payload.count, &error) }
        }
        guard let jws = unsafe made else { return nil }
        defer { unsafe cjose_jws_release(jws) }
        // The text belongs to the signature object.
        var text: UnsafePointer<CChar>?
        guard unsafe cjose_jws_export(jws, &text, &error), let text = unsafe text else { return nil }
        return unsafe String(cString: text)
    }
}
