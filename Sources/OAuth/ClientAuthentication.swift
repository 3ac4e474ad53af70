public import SwitchyardCrypto
public import SwitchyardJOSE

/// How a client proves itself at the token, the pushed authorization request and the revocation endpoint (RFC 6749
/// section 2.3).
public enum ClientAuthentication: Sendable, Hashable {
    /// A public client: only its client ID.
    case none
    /// HTTP Basic with form-encoded client ID and secret.
    case clientSecretBasic(Secret)
    /// The secret in the content of the request.
    case clientSecretPost(Secret)
    /// An assertion under the secret, which itself stays here (OpenID Connect Core section 9).
    case clientSecretJWT(Secret)
    /// An assertion that the key has signed (the same).
    case privateKeyJWT(SigningKey)
    /// A certificate of an authority that the issuer believes (RFC 8705 section 2.1).
    case tlsClientAuth(TLSClientCertificate)
    /// A certificate that the issuer knows by the client's registration (RFC 8705 section 2.2).
    case selfSignedTLSClientAuth(TLSClientCertificate)

    /// Makes the credentials of one request. A second try needs new ones, because an assertion counts once.
    /// - Throws: ``SignInFailure`` with the code `internal` if they cannot be made.
    public func credentials(
        of clientID: String, for audience: ClientAudience
    ) throws(SignInFailure) -> ClientCredentials {
        var credentials = ClientCredentials(clientID: clientID)
        switch self {
        case .none: break
        case .clientSecretBasic(let secret):
            credentials.headers.append(("Authorization", Self.basic(clientID, secret)))
        case .clientSecretPost(let secret):
            credentials.fields.append(("client_secret", secret.exposedText))
        case .clientSecretJWT(let secret):
            credentials.fields += try ClientAssertion(of: clientID, for: audience).fields(signedBy: secret)
        case .privateKeyJWT(let key):
            credentials.fields += try ClientAssertion(of: clientID, for: audience).fields(signedBy: key)
        case .tlsClientAuth(let certificate), .selfSignedTLSClientAuth(let certificate):
            credentials.certificate = certificate
        }
        return credentials
    }

    /// The client's secret; nil for a client without one.
    public var secret: Secret? {
        switch self {
        case .none, .privateKeyJWT, .tlsClientAuth, .selfSignedTLSClientAuth: nil
        case .clientSecretBasic(let secret), .clientSecretPost(let secret), .clientSecretJWT(let secret): secret
        }
    }

    /// Whether the client proves itself by a private key, with or without a certificate.
    public var hasKey: Bool {
        switch self {
        case .none, .clientSecretBasic, .clientSecretPost, .clientSecretJWT: false
        case .privateKeyJWT, .tlsClientAuth, .selfSignedTLSClientAuth: true
        }
    }

    /// The client's certificate; nil for a client that proves itself otherwise.
    public var certificate: TLSClientCertificate? {
        switch self {
        case .none, .clientSecretBasic, .clientSecretPost, .clientSecretJWT, .privateKeyJWT: nil
        case .tlsClientAuth(let certificate), .selfSignedTLSClientAuth(let certificate): certificate
        }
    }

    /// The certificate that the issuer knows by the client's registration; nil for another client.
    public var selfSignedCertificate: TLSClientCertificate? {
        if case .selfSignedTLSClientAuth(let certificate) = self { certificate } else { nil }
    }

    /// The method's name in an issuer's metadata (RFC 7591 section 2).
    public var name: String {
        switch self {
        case .none: "none"
        case .clientSecretBasic: "client_secret_basic"
        case .clientSecretPost: "client_secret_post"
        case .clientSecretJWT: "client_secret_jwt"
        case .privateKeyJWT: "private_key_jwt"
        case .tlsClientAuth: "tls_client_auth"
        case .selfSignedTLSClientAuth: "self_signed_tls_client_auth"
        }
    }

    /// RFC 6749 section 2.3.1: both are form-encoded first, so a colon in the ID does no harm.
    private static func basic(_ clientID: String, _ secret: Secret) -> String {
        let credentials = FormEncoding.encode(clientID) + ":" + FormEncoding.encode(secret.exposedText)
        return "Basic " + Base64.encode(Array(credentials.utf8))
    }
}

/// The parts of one request that prove its client.
public struct ClientCredentials: Sendable {
    public var headers: [(String, String)] = []
    /// Fields of the content. The client ID is always among them.
    public var fields: [(String, String)]
    /// The certificate to show in TLS; nil for none.
    public var certificate: TLSClientCertificate?

    init(clientID: String) {
        fields = [("client_id", clientID)]
    }
}

/// The issuer that a client proves itself to, as far as a proof names it, and the time of the proof.
public struct ClientAudience: Sendable {
    public let metadata: IssuerMetadata
    public let deviations: Deviations
    /// Seconds since 1970.
    public let now: Int64

    public init(_ metadata: IssuerMetadata, _ deviations: Deviations, now: Int64) {
        self.metadata = metadata
        self.deviations = deviations
        self.now = now
    }
}
