internal import SwitchyardOAuth
internal import SwitchyardText

/// The issuer that signs people in: Microsoft Entra, Azure AD B2C, Entra External ID (CIAM), ADFS, or any OpenID
/// provider.
///
/// Two authorities are equal when their addresses are.
public struct Authority: Hashable, Sendable, CustomStringConvertible {
    /// The kind of issuer. It decides the addresses, and the parameters beside those of OpenID Connect.
    public struct Kind: Hashable, Sendable {
        /// Microsoft Entra ID.
        public static var entra: Self { Self(name: .entra) }
        /// Azure AD B2C.
        public static var b2c: Self { Self(name: .b2c) }
        /// Entra External ID for customers.
        public static var ciam: Self { Self(name: .ciam) }
        /// Active Directory Federation Services.
        public static var adfs: Self { Self(name: .adfs) }
        /// Any other OpenID provider.
        public static var oidc: Self { Self(name: .oidc) }

        enum Name { case entra, b2c, ciam, adfs, oidc }

        let name: Name
    }

    /// The accounts that an Entra authority accepts.
    public struct Audience: Hashable, Sendable {
        /// Work, school and personal accounts.
        public static var common: Self { Self(segment: "common") }
        /// Work and school accounts.
        public static var organizations: Self { Self(segment: "organizations") }
        /// Personal accounts.
        public static var consumers: Self { Self(segment: "consumers") }
        /// One directory, by its GUID or one of its domains.
        public static func tenant(_ name: String) -> Self { Self(segment: name) }

        /// The segment in the authority's address.
        let segment: String
    }

    /// The kind of issuer.
    public let kind: Kind
    /// The issuer's published address, or one put together from its parts.
    public let url: String
    /// The issuer's name in the cache: a cloud's host, or the whole issuer where one host may have several.
    public let environment: String
    /// The directory, as it was given; nil without one.
    public let tenant: String?
    /// The base URL of the metadata, which is at `/.well-known/openid-configuration` below it.
    let discovery: EndpointURL
    /// Other names for ``environment``: the other hosts of one cloud.
    let aliases: Set<String>

    public static func == (left: Self, right: Self) -> Bool {
        left.kind == right.kind && left.url == right.url
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(url)
    }

    public var description: String { url }

    // MARK: Derived values

    var isEntra: Bool { kind == .entra }

    /// Whether token responses name the person's account in its home directory (`client_info`).
    var requiresClientInfo: Bool { kind == .entra || kind == .b2c || kind == .ciam }

    /// Whether it is for people of many directories.
    public var isMultiTenant: Bool {
        kind == .entra && ["common", "organizations", "consumers"].contains(tenant?.asciiLowercased)
    }

    /// The directory of personal accounts.
    static let consumersTenantID = "9188040d-6c67-4c5b-b112-36a304b66dad"

    /// The tenant as tokens name it, lower-cased; nil if the authority has no tenant, or names it by a domain.
    var tenantID: String? {
        guard kind == .entra || kind == .ciam, let tenant, GUID(tenant) != nil else { return nil }
        return tenant.asciiLowercased
    }

    /// Which tokens in the cache are of this authority.
    var tokenTenant: TokenTenant {
        if let tenantID { return .id(tenantID) }
        return tenant == nil ? .none : .authority(url)
    }

    /// The tenants that count, for an issuer of many directories.
    var tenants: TenantRule {
        switch tenant?.asciiLowercased {
        case "common": .any
        case "organizations": .anyBut([Self.consumersTenantID])
        case "consumers": .only([Self.consumersTenantID])
        case let tenant?: .only([tenant])
        case nil: []
        }
    }

    /// A directory by its domain, and a policy, are published under their name and issue under a number.
    var issuerRule: IssuerRule {
        switch kind.name {
        case .entra: .hosts(aliases.union([discoveryHost]))
        case .b2c: .hosts([discoveryHost])
        case .ciam where discoveryHost.hasSuffix(".ciamlogin.com"): .domain("ciamlogin.com")
        case .ciam: .hosts([discoveryHost])
        case .adfs, .oidc: .exactly
        }
    }

    private var discoveryHost: String { Self.hostAndPort(of: discovery.text) }

    /// Whether accounts of `environment` are this authority's: its own, and for Entra those that its maker sent
    /// to another of its clouds.
    func covers(_ environment: String) -> Bool {
        aliases.contains(environment)
            || kind == .entra && EntraCloud(host: self.environment) != nil && EntraCloud(host: environment) != nil
    }

    /// Equal for two authorities if one may use tokens that the other has put into a shared cache. It is the
    /// ``environment``, and one name for all clouds of Entra, because accounts may move between them (``covers(_:)``).
    package var cacheRealm: String {
        kind == .entra && EntraCloud(host: environment) != nil ? "entra" : environment
    }

    // MARK: Making

    init(
        _ kind: Kind, url: String, discovery: String, environment: String, aliases: Set<String> = [],
        tenant: String? = nil, allowingLoopbackHTTP: Bool
    ) throws(AuthorityError) {
        guard !url.contains("?") else { throw AuthorityError(.hasQuery, url) }
        do throws(EndpointURLError) {
            self.discovery = try EndpointURL(discovery, allowingLoopbackHTTP: allowingLoopbackHTTP)
        } catch {
            throw error == .insecure
                ? AuthorityError(.insecure, url) : AuthorityError(.malformed, url, error.description)
        }
        self.kind = kind
        self.url = url
        self.environment = environment
        self.aliases = aliases.union([environment])
        self.tenant = tenant
    }
}
