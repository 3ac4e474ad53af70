public import SwitchyardCrypto
public import SwitchyardReactor
public import SwitchyardTLS

/// The configuration of a demo issuer.
public struct DemoIssuerConfiguration: Sendable {
    /// TCP on loopback only. Port 0 lets the kernel choose.
    public var address: ListenAddress
    /// The certificate of the listener; nil for plain HTTP.
    public var tls: ServerContext?
    /// The issuer's name, which is also the base of its endpoints. When nil it is derived from ``address``, with the
    /// port that ``DemoIssuer/start(on:)`` bound. It may have a path, as tenants of large issuers do.
    public var issuer: String?
    /// Signs everybody in without asking: `/authorize` answers at once. For benchmarks.
    public var autoApprove = false
    /// Clients with a name or a secret. Every other client ID is accepted as a public client.
    public var clients: [DemoClient] = []
    public var signingAlgorithm = IDTokenAlgorithm.rs256
    /// The prefix of the issuer's own scopes, which belong to no API and need no consent, as `openid` and its like do;
    /// nil without one.
    package var ownScopePrefix: String?
    /// More shapes, beside the plain one and that of Entra ID.
    package var shapes: [AuthorityShapeReader] = []

    public init(address: ListenAddress, tls: ServerContext? = nil) {
        self.address = address
        self.tls = tls
    }
}

/// A client that the demo issuer knows. Clients that it does not know are accepted too, as public ones.
public struct DemoClient: Sendable {
    public let id: String
    /// Shown on the consent page; the client ID stands there when nil.
    public let name: String?
    /// The secret for `client_secret_basic` or `client_secret_post`; nil for a public client.
    public let secret: Secret?

    public init(id: String, name: String? = nil, secret: Secret? = nil) {
        self.id = id
        self.name = name
        self.secret = secret
    }
}

/// How the demo issuer signs its ID tokens (RFC 7518 section 3.1).
public enum IDTokenAlgorithm: String, Sendable, CaseIterable {
    /// RSASSA-PKCS1-v1_5 with SHA-256, with a key of 2048 bits.
    case rs256 = "RS256"
    /// ECDSA on P-256 with SHA-256.
    case es256 = "ES256"
    /// RSASSA-PSS with SHA-256, with a key of 2048 bits.
    case ps256 = "PS256"
}

/// Why a demo issuer cannot be made or cannot sign. The description is a sentence for people.
public enum DemoIssuerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The address is not 127.0.0.0/8 or ::1.
    case notLoopback(address: String)
    /// The issuer's name is no http or https URL.
    case invalidIssuer(String)
    /// Two clients have this client ID.
    case repeatedClient(id: String)
    /// OpenSSL could not make a key for the ID tokens.
    case noKey
    /// OpenSSL could not sign an ID token.
    case noSignature

    public var description: String {
        switch self {
        case .notLoopback(let address):
            "the demo issuer signs anybody in, so it runs on loopback only (127.0.0.0/8 or ::1), not on \"\(address)\""
        case .invalidIssuer(let issuer): "\"\(issuer)\" is no issuer: give an http or https URL without a query"
        case .repeatedClient(let id): "client \"\(id)\" is given twice"
        case .noKey: "the key that signs ID tokens cannot be made"
        case .noSignature: "the ID token cannot be signed"
        }
    }
}
