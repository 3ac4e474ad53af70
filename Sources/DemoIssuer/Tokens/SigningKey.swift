internal import Glibc
internal import SwitchyardCJOSE
internal import SwitchyardCrypto
package import SwitchyardJSON

/// A fresh key pair of libcjose, and signatures with it (RFC 7515). The one place of this module with pointers.
///
/// Safe from any thread: the key never changes, and libcjose and OpenSSL only read it.
@safe package final class SigningKey: Sendable {
    let algorithm: IDTokenAlgorithm
    package let keyID: String
    /// The public half, for the JWK set (RFC 7517 section 4).
    package let publicJWK: JSONValue
    /// Why `nonisolated(unsafe)`: this object alone owns it, never changes it, and frees it last.
    nonisolated(unsafe) private let key: OpaquePointer

    package static func newID() -> String { Random.token(byteCount: 12) }

    package init(_ algorithm: IDTokenAlgorithm, keyID: String = newID()) throws(DemoIssuerError) {
        var error = unsafe cjose_err()
        guard let key = unsafe Self.makeKey(algorithm, &error),
            unsafe cjose_jwk_set_kid(key, keyID, keyID.utf8.count, &error),
            var members = unsafe Self.publicMembers(of: key, &error)
        else { throw unsafe Self.failure(error) }
        members["use"] = "sig"
        members["alg"] = .string(algorithm.rawValue)
        self.algorithm = algorithm
        self.keyID = keyID
        publicJWK = .object(members)
        unsafe self.key = unsafe key
    }

    deinit {
        unsafe cjose_jwk_release(key)
    }

    /// A compact JWS over `payload`, with `alg` in its header, and `kid` unless it is nil.
    package func sign(_ payload: [UInt8], keyID: String?) throws(DemoIssuerError) -> String {
        try unsafe Self.sign(payload, key, algorithm: algorithm.rawValue, keyID: keyID)
    }

    private static func sign(
        _ payload: [UInt8], _ key: OpaquePointer, algorithm: String, keyID: String?
    ) throws(DemoIssuerError) -> String {
        var error = unsafe cjose_err()
        guard let header = unsafe cjose_header_new(&error) else { throw unsafe failure(error) }
        defer { unsafe cjose_header_release(header) }
        if let keyID {
            guard unsafe cjose_header_set(header, "kid", keyID, &error) else { throw unsafe failure(error) }
        }
        guard unsafe cjose_header_set(header, "alg", algorithm, &error),
            let signature = unsafe cjose_jws_sign(key, header, payload, payload.count, &error)
        else { throw unsafe failure(error) }
        defer { unsafe cjose_jws_release(signature) }
        // The text belongs to the signature object.
        var text: UnsafePointer<CChar>?
        guard unsafe cjose_jws_export(signature, &text, &error), let text = unsafe text else {
            throw unsafe failure(error)
        }
        return unsafe String(cString: text)
    }

    private static func makeKey(_ algorithm: IDTokenAlgorithm, _ error: inout cjose_err) -> OpaquePointer? {
        switch algorithm {
        case .rs256, .ps256: unsafe cjose_jwk_create_RSA_random(2048, publicExponent, publicExponent.count, &error)
        case .es256: unsafe cjose_jwk_create_EC_random(CJOSE_JWK_EC_P_256, &error)
        }
    }

    /// 65537.
    private static let publicExponent: [UInt8] = [1, 0, 1]

    private static func publicMembers(of key: OpaquePointer, _ error: inout cjose_err) -> JSONObject? {
        guard let text = unsafe cjose_jwk_to_json(key, false, &error) else { return nil }
        defer { unsafe free(text) }
        return (try? JSONValue.parse(Array(unsafe String(cString: text).utf8)))?.object
    }

    private static func failure(_ error: cjose_err) -> DemoIssuerError {
        let message = unsafe error.message
        return .signing(reason: unsafe message.map { unsafe String(cString: $0) } ?? "unknown")
    }
}
