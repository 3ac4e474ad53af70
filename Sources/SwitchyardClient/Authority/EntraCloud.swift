internal import SwitchyardOAuth

/// A cloud of Microsoft Entra: one issuer under several names.
public enum EntraCloud: String, Sendable, CaseIterable {
    /// `login.microsoftonline.com`.
    case worldwide
    /// `login.microsoftonline.us`.
    case usGovernment
    /// `login.partner.microsoftonline.cn`.
    case china
    /// `login.microsoftonline.de`.
    case germany
    /// `login.sovcloud-identity.fr`.
    case sovereignFrance
    /// `login.sovcloud-identity.de`.
    case sovereignGermany
    /// `login.sovcloud-identity.sg`.
    case sovereignSingapore

    /// The hosts that stand for it; the first is the one that is asked.
    var hosts: [String] {
        switch self {
        case .worldwide: EntraHosts.worldwide.names
        case .usGovernment: EntraHosts.usGovernment.names
        case .china: EntraHosts.china.names
        case .germany: EntraHosts.germany.names
        case .sovereignFrance: EntraHosts.sovereignFrance.names
        case .sovereignGermany: EntraHosts.sovereignGermany.names
        case .sovereignSingapore: EntraHosts.sovereignSingapore.names
        }
    }

    /// The host that is asked.
    var networkHost: String { hosts[0] }

    /// The host that stands for it in the cache. For the first cloud that is the one from before, as in MSAL's caches.
    var cacheHost: String { self == .worldwide ? "login.windows.net" : hosts[0] }

    /// The cloud with this host; nil for any other host, however similar.
    init?(host: String) {
        guard let cloud = Self.allCases.first(where: { $0.hosts.contains(host) }) else { return nil }
        self = cloud
    }
}
