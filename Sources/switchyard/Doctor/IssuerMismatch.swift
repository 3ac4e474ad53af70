internal import SwitchyardOAuth
internal import SwitchyardText

/// Metadata that names another issuer than the configuration: which form it has, and what to write instead.
struct IssuerMismatch {
    /// The issuer in the configuration.
    let asked: String
    /// The issuer in the metadata.
    let told: String

    /// The configuration to write, for providers whose metadata never name their own address.
    var knownForm: String? {
        guard let asked = Address(asked), let told = Address(told) else { return nil }
        if let tenant = told.host.removingSuffix(".b2clogin.com"), asked.host == told.host, asked.path.count >= 2,
            let number = told.path.first, Self.isGUID(number)
        {
            // TENANT.b2clogin.com/TENANT.onmicrosoft.com/POLICY/v2.0
            return
                "write preset: b2c, tenant: \(tenant), tenant_id: \(number), policy: \(asked.path[1]) in place of issuer"
        }
        if let number = told.host.removingSuffix(".ciamlogin.com"), Self.isGUID(number),
            let name = asked.host.removingSuffix(".ciamlogin.com")
        {
            return "write preset: external-id, domain: \(name), tenant: \(number) in place of issuer"
        }
        if EntraHosts.worldwide.names.contains(asked.host), EntraHosts.worldwide.names.contains(told.host),
            let name = asked.path.first, !Self.isGUID(name),
            let number = told.path.first, Self.isGUID(number)
        {
            return "write preset: entra, tenant: \(name) in place of issuer, or issuer: \(self.told)"
        }
        return nil
    }

    /// The other issuer's URL, if its metadata can be asked for.
    var toldURL: EndpointURL? { try? EndpointURL(told, allowingLoopbackHTTP: asked.hasPrefix("http:")) }

    /// The host of an issuer, without its port, and the parts of its path.
    private struct Address {
        let host: String
        let path: [String]

        init?(_ issuer: String) {
            guard let separator = issuer.firstRange(of: "://") else { return nil }
            let parts = issuer[separator.upperBound...].split(separator: "/").map(String.init)
            guard let server = parts.first?.lowercased() else { return nil }
            host = String(server.prefix { $0 != ":" })
            path = Array(parts.dropFirst())
        }
    }

    private static func isGUID(_ text: String) -> Bool { GUID(text) != nil }
}

extension String {
    /// nil without the suffix, or for nothing else.
    fileprivate func removingSuffix(_ suffix: String) -> String? {
        hasSuffix(suffix) && count > suffix.count ? String(dropLast(suffix.count)) : nil
    }
}
