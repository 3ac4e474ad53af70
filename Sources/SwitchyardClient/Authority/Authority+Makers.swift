internal import SwitchyardOAuth
internal import SwitchyardText

extension Authority {
    /// Microsoft Entra.
    /// - Parameters:
    ///   - audience: the accounts that may sign in.
    ///   - cloud: the cloud of the directory.
    /// - Throws: `missingTenant` or `invalidName` for a tenant that cannot be one.
    public static func entra(_ audience: Audience, cloud: EntraCloud = .worldwide) throws(AuthorityError) -> Authority {
        try entra(audience, at: "https://\(cloud.networkHost)", cloud: cloud)
    }

    /// All accounts at Microsoft, in the worldwide cloud: the default of an app.
    public static let common: Authority = {
        guard let authority = try? Authority.entra(.common) else { fatalError("this authority has no mistake") }
        return authority
    }()

    /// Azure AD B2C: a policy of a tenant.
    /// - Parameters:
    ///   - tenant: such as `contoso.onmicrosoft.com`.
    ///   - policy: the user flow or custom policy, such as `B2C_1_signin`.
    ///   - host: nil: `{name}.b2clogin.com` for the tenant `{name}.onmicrosoft.com`; give it for a domain of one's own.
    /// - Throws: `missingTenant`, `missingPolicy`, `invalidName`, `malformed`.
    public static func b2c(
        tenant: String, policy: String, host: String? = nil
    ) throws(AuthorityError) -> Authority {
        let name = tenant.prefix { $0 != "." }
        return try b2c(tenant: tenant, policy: policy, at: "https://\(host ?? "\(name).b2clogin.com")")
    }

    /// Entra External ID for customers (CIAM): `{tenant}.ciamlogin.com`.
    /// - Parameters:
    ///   - tenant: its name, its domain or its GUID.
    ///   - host: nil: `{name}.ciamlogin.com`; needed with a GUID, and for a domain of one's own.
    /// - Throws: `missingTenant`, `invalidName`, `malformed`.
    public static func ciam(tenant: String, host: String? = nil) throws(AuthorityError) -> Authority {
        let name = String(tenant.prefix { $0 != "." })
        let full = tenant.contains(".") || GUID(tenant) != nil ? tenant : "\(name).onmicrosoft.com"
        return try ciam(tenant: full, at: "https://\(host ?? "\(name).ciamlogin.com")")
    }

    /// Active Directory Federation Services 2019 or later, at `https://{host}/adfs`.
    /// - Throws: `malformed` for an invalid host.
    public static func adfs(_ host: String) throws(AuthorityError) -> Authority {
        try adfs(at: "https://\(host)")
    }

    /// Any OpenID provider, by its issuer identifier, exactly as it is published.
    /// - Parameters:
    ///   - issuer: its address, to the letter: ID tokens are compared with it.
    ///   - allowingLoopbackHTTP: whether plain http passes on loopback; for development.
    /// - Throws: `insecure`, `malformed`, `hasQuery`.
    public static func oidc(issuer: String, allowingLoopbackHTTP: Bool = false) throws(AuthorityError) -> Authority {
        try Authority(
            .oidc, url: issuer, discovery: issuer, environment: issuer,
            allowingLoopbackHTTP: allowingLoopbackHTTP)
    }

    /// Recognizes the kind of an address, as MSAL's configuration does: an Entra cloud by its host, CIAM by
    /// `.ciamlogin.com`, B2C by `.b2clogin.com` or a path below `/tfp/`, ADFS by the path `/adfs`. Any other address is
    /// the issuer of an OpenID provider.
    public init(_ url: String) throws(AuthorityError) {
        guard url.asciiLowercased.hasPrefix("https://") else {
            throw url.contains("://") ? AuthorityError(.insecure, url) : AuthorityError(.malformed, url, "is no URL")
        }
        guard !url.utf8.contains(UInt8(ascii: "?")) else { throw AuthorityError(.hasQuery, url) }
        let written = Self.hostAndPort(of: url)
        let host = written.hasSuffix(":443") ? String(written.dropLast(4)) : written
        let base = "https://\(host)"
        let path = url.dropFirst("https://".count).drop { $0 != "/" }.split(separator: "/").map(String.init)
        if path.first?.asciiLowercased != "tfp", EntraCloud(host: host) != nil {
            guard let tenant = path.first else { throw AuthorityError(.missingTenant, url) }
            self = try .entra(Self.audience(tenant), at: base, cloud: EntraCloud(host: host))
        } else if host.hasSuffix(".ciamlogin.com") {
            let name = String(host.prefix { $0 != "." })
            self = try .ciam(tenant: path.first ?? "\(name).onmicrosoft.com", at: base)
        } else if path.first?.asciiLowercased == "tfp" || host.hasSuffix(".b2clogin.com") {
            let names = path.first?.asciiLowercased == "tfp" ? Array(path.dropFirst()) : path
            guard let tenant = names.first else { throw AuthorityError(.missingTenant, url) }
            guard names.count > 1 else { throw AuthorityError(.missingPolicy, url) }
            self = try .b2c(tenant: tenant, policy: names[1], at: base)
        } else if path.first?.asciiLowercased == "adfs", path.count == 1 {
            self = try .adfs(at: base)
        } else {
            self = try .oidc(issuer: url)
        }
        try Self.checkReading(of: url)
    }

    /// Checks that the whole address has one reading, also the parts that its kind does not use. The rules are those of
    /// redirect URIs.
    private static func checkReading(of url: String) throws(AuthorityError) {
        let problem: RedirectURIError.Kind
        do throws(CallbackAddressError) {
            guard try CallbackAddress(relayed: url).hasFragment else { return }
            problem = .fragment
        } catch {
            problem = if case .malformed(let kind) = error { kind } else { .tooLong }
        }
        throw AuthorityError(.malformed, url, RedirectURIError(problem, text: "").message)
    }

    // MARK: At any address: the kinds by name, for hosts of one's own and for tests

    static func entra(
        _ audience: Audience, at base: String, cloud: EntraCloud?, allowingLoopbackHTTP: Bool = false
    ) throws(AuthorityError) -> Authority {
        let tenant = audience.segment
        let base = cloud.map { "https://\($0.networkHost)" } ?? base
        try check([tenant], missing: .missingTenant, of: base)
        return try Authority(
            .entra, url: "\(base)/\(tenant)", discovery: "\(base)/\(tenant)/v2.0",
            environment: cloud?.cacheHost ?? hostAndPort(of: base), aliases: Set(cloud?.hosts ?? []), tenant: tenant,
            allowingLoopbackHTTP: allowingLoopbackHTTP)
    }

    static func b2c(
        tenant: String, policy: String, at base: String, allowingLoopbackHTTP: Bool = false
    ) throws(AuthorityError) -> Authority {
        try check([tenant], missing: .missingTenant, of: base)
        try check([policy], missing: .missingPolicy, of: base)
        let url = "\(base)/tfp/\(tenant)/\(policy)"
        return try Authority(
            .b2c, url: url, discovery: "\(url)/v2.0", environment: hostAndPort(of: base), tenant: tenant,
            allowingLoopbackHTTP: allowingLoopbackHTTP)
    }

    static func ciam(
        tenant: String, at base: String, allowingLoopbackHTTP: Bool = false
    ) throws(AuthorityError) -> Authority {
        try check([tenant], missing: .missingTenant, of: base)
        return try Authority(
            .ciam, url: "\(base)/\(tenant)", discovery: "\(base)/\(tenant)/v2.0", environment: hostAndPort(of: base),
            tenant: tenant, allowingLoopbackHTTP: allowingLoopbackHTTP)
    }

    static func adfs(at base: String, allowingLoopbackHTTP: Bool = false) throws(AuthorityError) -> Authority {
        try Authority(
            .adfs, url: "\(base)/adfs", discovery: "\(base)/adfs", environment: "\(base)/adfs",
            allowingLoopbackHTTP: allowingLoopbackHTTP)
    }

    // MARK: For people of other directories

    /// The authority of one directory, if this one is for many; otherwise this one.
    func forHomeTenant(_ tenantID: String) -> Authority {
        guard isMultiTenant, Self.isName(tenantID) else { return self }
        let cloud = EntraCloud(host: Self.hostAndPort(of: url))
        let base = String(url.dropLast((tenant ?? "").count + 1))
        let isPlain = url.hasPrefix("http://")
        let home = try? Authority.entra(.tenant(tenantID), at: base, cloud: cloud, allowingLoopbackHTTP: isPlain)
        return home ?? self
    }

    /// The same authority in the cloud that an issuer has named in its response (`cloud_instance_host_name`). nil for a
    /// host that is not Microsoft's: a response must not choose where codes go.
    func forCloudInstance(host: String) -> Authority? {
        guard kind == .entra, let tenant, let cloud = EntraCloud(host: host.asciiLowercased) else { return nil }
        return try? Authority.entra(.tenant(tenant), cloud: cloud)
    }

    // MARK: Parts

    private static func audience(_ segment: String) -> Audience {
        switch segment.asciiLowercased {
        case "common": .common
        case "organizations": .organizations
        case "consumers": .consumers
        default: .tenant(segment)
        }
    }

    private static func check(
        _ names: [String], missing: AuthorityError.Kind, of base: String
    ) throws(AuthorityError) {
        for name in names {
            guard !name.isEmpty else { throw AuthorityError(missing, base) }
            guard isName(name) else { throw AuthorityError(.invalidName, "\(base)/\(name)") }
        }
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 255 && name.first != "."
            && name.utf8.allSatisfy { ASCII.isAlphanumeric($0) || ".-_".utf8.contains($0) }
    }

    /// Lower-cased, with the port where one is written.
    static func hostAndPort(of url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url.asciiLowercased }
        return url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }.asciiLowercased
    }
}
