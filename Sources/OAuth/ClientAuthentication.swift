public import SwitchyardCrypto

/// How a client proves itself at the token endpoint (RFC 6749 section 2.3).
public enum ClientAuthentication: Sendable, Hashable {
    /// A public client: only its client ID.
    case none
    /// HTTP Basic with form-encoded client ID and secret.
    case clientSecretBasic(Secret)
    /// The secret in the content of the request.
    case clientSecretPost(Secret)

    /// The credentials in a request: further header fields, and fields of the content. The client ID is always among
    /// the content's fields.
    public func credentials(of clientID: String) -> (headers: [(String, String)], fields: [(String, String)]) {
        switch self {
        case .none: ([], [("client_id", clientID)])
        case .clientSecretBasic(let secret):
            ([("Authorization", Self.basic(clientID, secret))], [("client_id", clientID)])
        case .clientSecretPost(let secret):
            ([], [("client_id", clientID), ("client_secret", secret.exposedText)])
        }
    }

    /// The client's secret; nil for a client without one.
    public var secret: Secret? {
        switch self {
        case .none: nil
        case .clientSecretBasic(let secret), .clientSecretPost(let secret): secret
        }
    }

    /// The method's name in an issuer's metadata (RFC 7591 section 2).
    public var name: String {
        switch self {
        case .none: "none"
        case .clientSecretBasic: "client_secret_basic"
        case .clientSecretPost: "client_secret_post"
        }
    }

    /// RFC 6749 section 2.3.1: both are form-encoded first, so a colon in the ID does no harm.
    private static func basic(_ clientID: String, _ secret: Secret) -> String {
        let credentials = FormEncoding.encode(clientID) + ":" + FormEncoding.encode(secret.exposedText)
        return "Basic " + Base64.encode(Array(credentials.utf8))
    }
}
