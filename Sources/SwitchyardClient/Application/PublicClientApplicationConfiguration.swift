package import SwitchyardOAuth
// The configuration of the cache is made of its types: an app needs no second import.
@_exported public import SwitchyardTokenStorage

/// How an app is known to its issuer, and how this library works for it.
public struct PublicClientApplicationConfiguration: Sendable {
    /// The client ID that the issuer registered.
    public var clientID: String
    /// The app's name in reverse domain form, such as `com.contoso.mail`: its desktop ID, or its Flatpak ID.
    public var bundleID: String
    /// One of those that are registered with the issuer. nil: `msauth.[bundleID]://auth`, or with a gateway,
    /// whichever is registered there.
    public var redirectURI: String?
    /// The issuer that signs people in.
    public var authority: Authority

    /// The gateway that receives the callbacks, if any.
    public var gateway: GatewayConfiguration?
    /// How callbacks reach the app; by default the first that can work.
    public var callbackWay = CallbackWay.automatic

    /// Whether making the application fails unless this desktop knows the scheme of a redirect URI. A callback to an
    /// unknown scheme would be lost in silence. Set it to false in tests, which have no desktop.
    public var checksRedirectScheme = true

    /// The storage of tokens, and the apps that share it.
    public var cache = TokenCacheConfiguration()
    /// A token that expires sooner than this counts as expired. 0 or more.
    public var tokenExpirationBuffer = Duration.seconds(300)
    /// Whether an expired token is given when the issuer is down and has allowed it (`ext_expires_in`).
    public var isExtendedLifetimeEnabled = false
    /// The app's capabilities, such as `CP1` (claims challenges). They go into every request as the claim `xms_cc`.
    public var clientCapabilities: [String] = []
    /// Whether silent requests that have just failed are answered without asking again.
    public var isThrottlingEnabled = true

    /// Path of a PEM file with more trust anchors, beside the system's.
    public var trustAnchor: String?
    /// The proxy for calls to issuers, gateways and APIs. By default calls leave directly.
    public var proxy = ProxyConfiguration.none
    /// Whether issuers may be plain http on loopback: for development only.
    public var allowsLoopbackHTTP = false
    /// For a whole answer of an issuer: 1 to 120 seconds.
    public var issuerTimeout = Duration.seconds(10)

    /// Whether tokens are bound to a fresh key of each sign-in (RFC 9449), so that a stolen one is of no use. The issuer must
    /// support it. ``Account/authorizedRequest(_:)`` proves the key by itself. A gateway that redeems decides this by its own configuration.
    public var bindsTokens = false
    /// Whether authorization requests are pushed to the issuer; by default where its metadata require it. A gateway decides
    /// this by its own configuration.
    public var pushedRequests = PushedRequests.automatic
    /// The private key with which the app proves itself to the issuer; nil for a client that has only its ID. A gateway that
    /// redeems, or refreshes, proves itself by its own configuration.
    public var clientKey: ClientKeyConfiguration?

    /// The rules of the protocol that the issuer breaks, and that this app accepts; none by default.
    public var deviations = IssuerDeviations()
    /// Sent with each authorization request; the app's own and the protocol's win.
    public var authorizationParameters: [String: String] = [:]
    /// Sent with each token request; the app's own and the protocol's win.
    public var tokenParameters: [String: String] = [:]
    /// The address where an issuer without ID tokens names the account.
    public var accountEndpoint: AccountEndpointConfiguration?

    /// The level and the receiver of log lines; off by default, because there is no callback.
    public var logging = LoggingConfiguration()

    /// The client's authentication, if this process has its secret: an agent.
    package var clientAuthentication = ClientAuthentication.none
    /// Instead of ``deviations``, the parameters and ``accountEndpoint``, if an agent has read them.
    package var profile: IssuerProfile?
    /// The issuer's metadata, for an issuer that publishes no document.
    package var metadata: IssuerMetadata?

    /// The rest has defaults, and can be set before the application is made.
    public init(
        clientID: String, bundleID: String, redirectURI: String? = nil, authority: Authority = .common
    ) {
        self.clientID = clientID
        self.bundleID = bundleID
        self.redirectURI = redirectURI
        self.authority = authority
    }
}

/// A gateway that takes callbacks in for this app.
public struct GatewayConfiguration: Sendable, CustomReflectable {
    /// The party that exchanges codes, or refresh tokens, for tokens.
    public struct Redemption: Hashable, Sendable {
        /// The gateway, with the client authentication that it has. The tokens come sealed to a key of this process.
        public static var byGateway: Self { Self(name: .byGateway) }
        /// This library: the gateway never has anything that could be exchanged.
        public static var byApp: Self { Self(name: .byApp) }

        enum Name { case byGateway, byApp }

        let name: Name
    }

    /// `https://HOST[:PORT]`, or `unix:PATH`; plain http on loopback only.
    public var address: String
    /// The app as it is registered with the gateway; nil: the bundle ID.
    public var app: String?
    /// The party that exchanges the code: the gateway by default.
    public var redemption = Redemption.byGateway
    /// The party that exchanges refresh tokens: this process, or, for a client with a secret, the gateway that has the
    /// secret. Every caller that may begin a sign-in there may have tokens refreshed.
    public var refresh = Redemption.byApp
    /// The name of this machine on the page in the browser: at most 64 of `A–Z a–z 0–9 . _ -`. nil: the host's name.
    public var hostLabel: String?
    /// The API key for a gateway that lets only certain callers begin a sign-in (its `begin_from`).
    public var apiKey: String?

    /// - Parameters:
    ///   - address: `https://HOST[:PORT]`, or `unix:PATH`; checked when the application is made.
    ///   - app: the app as it is registered there; nil: the bundle ID.
    public init(_ address: String, app: String? = nil) {
        self.address = address
        self.app = app
    }

    /// Without the API key.
    public var customMirror: Mirror { Mirror(self, children: ["address": address, "app": app ?? "the bundle ID"]) }
}

/// How a callback reaches the app.
public struct CallbackWay: Hashable, Sendable {
    /// The gateway if one is configured; a listener of this process if the redirect URI is http on loopback; otherwise
    /// the app forwards the URLs that it is called with.
    public static var automatic: Self { Self(name: .automatic) }
    /// The gateway of the configuration.
    public static var gateway: Self { Self(name: .gateway) }
    /// A listener on 127.0.0.1 and ::1 for the time of the request, on an unpredictable port.
    public static var loopback: Self { Self(name: .loopback) }
    /// The app passes the callback to ``PublicClientApplication/handleResponse(_:sourceApplication:)``.
    public static var forwarded: Self { Self(name: .forwarded) }

    enum Name { case automatic, gateway, loopback, forwarded }

    let name: Name
}

/// The storage of tokens, and the apps that share it.
public struct TokenCacheConfiguration: Sendable {
    /// The apps that share one cache.
    public struct Sharing: Hashable, Sendable {
        /// With every app of this client ID that the user runs: single sign-on.
        public static var clientID: Self { Self(choice: .clientID) }
        /// This app alone: the cache belongs to client ID and bundle ID.
        public static var thisApp: Self { Self(choice: .thisApp) }
        /// Shares with every app that names this group, with any client ID: for families of client IDs.
        public static func group(_ name: String) -> Self { Self(choice: .group(name)) }

        enum Choice: Hashable {
            case clientID
            case thisApp
            case group(String)
        }

        let choice: Choice
    }

    /// The place of the cache. By default the desktop's keyring, or an encrypted file on a desktop without one.
    public var place: StoragePlace
    /// A storage of the app's own instead of ``place``; it must meet the protocol's rules.
    public var storage: (any TokenStorage)?
    /// By default all apps of one client ID.
    public var sharing: Sharing

    /// By default the keyring, or the file on a desktop without one, shared by the apps of one client ID.
    public init(place: StoragePlace = .automatic(), sharing: Sharing = .clientID) {
        self.place = place
        self.sharing = sharing
    }
}
