internal import SwitchyardCrypto
internal import SwitchyardJOSE
package import SwitchyardJSON

/// A fresh key pair, and signatures with it (RFC 7515). Safe from any thread.
package struct SigningKey: Sendable {
    package let keyID: String
    /// The public half, for the JWK set (RFC 7517 section 4).
    package let publicJWK: JSONValue
    private let algorithm: SigningAlgorithm
    private let pair: KeyPair

    package static func newID() -> String { Random.token(byteCount: 12) }

    package init(_ algorithm: IDTokenAlgorithm, keyID: String = newID()) throws(DemoIssuerError) {
        self.algorithm =
            switch algorithm {
            case .rs256: .rs256
            case .es256: .es256
            case .ps256: .ps256
            }
        guard let pair = KeyPair(generating: self.algorithm.keyKind) else { throw .noKey }
        self.pair = pair
        self.keyID = keyID
        var members = pair.publicKey.numbers.jwk
        members["kid"] = .string(keyID)
        members["use"] = "sig"
        members["alg"] = .string(algorithm.rawValue)
        publicJWK = .object(members)
    }

    /// A compact JWS over `payload`, with `alg` in its header, and `kid` unless it is nil.
    package func sign(_ payload: [UInt8], keyID: String?) throws(DemoIssuerError) -> String {
        let header: JSONObject = keyID.map { ["kid": .string($0)] } ?? [:]
        guard let signed = CompactJWS.sign(payload, header: header, with: pair, algorithm) else { throw .noSignature }
        return signed
    }
}
