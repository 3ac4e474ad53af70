internal import SwitchyardText

/// The hosts of a cloud of Microsoft Entra: one issuer under several names.
public struct EntraHosts: Hashable, Sendable {
    /// The hosts, lower-cased. Requests go to the first.
    public let names: [String]

    public static let worldwide = EntraHosts(names: [
        "login.microsoftonline.com", "login.windows.net", "login.microsoft.com", "sts.windows.net",
    ])
    public static let usGovernment = EntraHosts(names: [
        "login.microsoftonline.us", "login.usgovcloudapi.net", "login-us.microsoftonline.com",
    ])
    public static let china = EntraHosts(names: ["login.partner.microsoftonline.cn", "login.chinacloudapi.cn"])
    public static let germany = EntraHosts(names: ["login.microsoftonline.de"])
    public static let sovereignFrance = EntraHosts(names: ["login.sovcloud-identity.fr"])
    public static let sovereignGermany = EntraHosts(names: ["login.sovcloud-identity.de"])
    public static let sovereignSingapore = EntraHosts(names: ["login.sovcloud-identity.sg"])

    /// Every cloud.
    public static let all = [
        worldwide, usGovernment, china, germany, sovereignFrance, sovereignGermany, sovereignSingapore,
    ]

    /// Whether an issuer stands for many tenants: `common` or `organizations` at one of these hosts. `consumers` is one
    /// tenant of its own.
    /// - Parameter issuer: a valid https URL.
    public static func isMultiTenant(_ issuer: String) -> Bool {
        let parts = parts(of: issuer)
        return parts.count >= 4 && ["common", "organizations"].contains(parts[3]) && cloud(of: issuer) != nil
    }

    /// The cloud that an issuer is in; nil for an issuer of other hands.
    /// - Parameter issuer: a valid https URL.
    public static func cloud(of issuer: String) -> EntraHosts? {
        let parts = parts(of: issuer)
        guard parts.count >= 3, parts[0] == "https:", parts[1].isEmpty else { return nil }
        let host = parts[2].hasSuffix(":443") ? String(parts[2].dropLast(4)) : parts[2]
        return all.first { $0.names.contains(host) }
    }

    private static func parts(of issuer: String) -> [String] {
        issuer.split(separator: "/", maxSplits: 4, omittingEmptySubsequences: false).map(\.asciiLowercased)
    }
}
