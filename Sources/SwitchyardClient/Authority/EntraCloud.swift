internal import SwitchyardOAuth

/// A cloud of Microsoft Entra: one issuer under several names.
public struct EntraCloud: Hashable, Sendable {
    /// `login.microsoftonline.com`.
    public static var worldwide: Self { Self(known: .worldwide) }
    /// `login.microsoftonline.us`.
    public static var usGovernment: Self { Self(known: .usGovernment) }
    /// `login.partner.microsoftonline.cn`.
    public static var china: Self { Self(known: .china) }
    /// `login.microsoftonline.de`.
    public static var germany: Self { Self(known: .germany) }
    /// `login.sovcloud-identity.fr`.
    public static var sovereignFrance: Self { Self(known: .sovereignFrance) }
    /// `login.sovcloud-identity.de`.
    public static var sovereignGermany: Self { Self(known: .sovereignGermany) }
    /// `login.sovcloud-identity.sg`.
    public static var sovereignSingapore: Self { Self(known: .sovereignSingapore) }

    private let known: EntraHosts

    private init(known: EntraHosts) {
        self.known = known
    }

    static var allCases: [Self] { EntraHosts.all.map(Self.init(known:)) }

    /// The hosts of the cloud; requests go to the first.
    var hosts: [String] { known.names }

    /// The host that is asked.
    var networkHost: String { hosts[0] }

    /// The cloud's host in the cache. For the first cloud it is its former host, as in MSAL's caches.
    var cacheHost: String { self == .worldwide ? "login.windows.net" : hosts[0] }

    /// The cloud with this host; nil for any other host, however similar.
    init?(host: String) {
        guard let cloud = Self.allCases.first(where: { $0.hosts.contains(host) }) else { return nil }
        self = cloud
    }
}
