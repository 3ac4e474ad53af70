internal import SwitchyardCrypto
internal import SwitchyardJOSE
internal import SwitchyardJSON

/// A JWT by which a client proves itself (RFC 7523 section 2.2, with the stricter audience of
/// draft-ietf-oauth-rfc7523bis). It counts once, so each request gets a new one.
struct ClientAssertion {
    static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    /// In seconds.
    static let lifetime: Int64 = 60

    let claims: JSONObject
    /// The header's `typ`.
    private let kind: String
    private let naming: SigningKey.Naming
    private let announced: [String]

    init(of clientID: String, for audience: ClientAudience) {
        let metadata = audience.metadata
        // An assertion for a token endpoint could be replayed by another issuer that names the same endpoint as its own.
        let isForEndpoint = audience.deviations.addressesTokenEndpoint
        let name = isForEndpoint ? metadata.tokenEndpoint.text : metadata.issuer
        kind = isForEndpoint ? "JWT" : "client-authentication+jwt"
        naming = isForEndpoint ? .certificate : .id
        announced = metadata.clientSigningAlgorithms
        claims = [
            "iss": .string(clientID), "sub": .string(clientID), "aud": .string(name),
            "jti": .string(Random.token(byteCount: 16)), "iat": .integer(audience.now),
            "exp": .integer(audience.now + Self.lifetime),
        ]
    }

    func fields(signedBy key: SigningKey) throws(SignInFailure) -> [(String, String)] {
        try fields(key.sign(claims, type: kind, naming: naming, announced: announced))
    }

    func fields(signedBy secret: Secret) throws(SignInFailure) -> [(String, String)] {
        try fields(SecretSignature.sign(claims, type: kind, by: secret))
    }

    private func fields(_ assertion: String?) throws(SignInFailure) -> [(String, String)] {
        guard let assertion else { throw SignInFailure(.internal, description: "no client assertion can be made") }
        return [("client_assertion_type", Self.type), ("client_assertion", assertion)]
    }
}
