import SwitchyardOAuth

@testable import SwitchyardClient

/// Authorities, as an app's developer or a configuration writes them.
enum AuthorityTarget {
    private static let home = "72f988bf-86f1-41af-91ab-2d7cd011db47"

    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let text = String(decoding: bytes, as: UTF8.self)
        let authority: Authority
        do throws(AuthorityError) {
            authority = try Authority(text)
        } catch {
            return try require(!error.message.isEmpty && !error.remedy.isEmpty, "a refusal explains")
        }
        for url in [authority.url, authority.discovery.text] {
            try require(url.lowercased().hasPrefix("https://"), "an authority is https")
            try require(
                !url.utf8.contains { isInvisible($0) || "#?\\".utf8.contains($0) }, "an authority is plain")
        }
        try require(isOneReading(text), "what is accepted has one reading")
        try checkHost(authority, text)
        try require((try? Authority(text)) == authority, "equal text is an equal authority")
        let again = try? Authority(authority.url)
        try require(
            again == authority && again?.kind == authority.kind, "an authority that is written back is the same")
        try require(
            again?.environment == authority.environment && again?.tenant == authority.tenant
                && again?.discovery.text == authority.discovery.text, "what follows from an authority follows again")
        try checkOthers(authority, text)
    }

    /// All of it, also what the kind has no use for.
    private static func isOneReading(_ text: String) -> Bool {
        guard let address = try? CallbackAddress(relayed: text), case .https = address.form else { return false }
        return address.query.isEmpty && !address.hasFragment
    }

    /// The library asks the named host, or the same cloud under its other name.
    private static func checkHost(_ authority: Authority, _ text: String) throws(BrokenInvariant) {
        guard case .https(let host, let port, _)? = (try? CallbackAddress(relayed: text))?.form,
            case .https(let asked, let askedPort, _)? = (try? CallbackAddress(relayed: authority.discovery.text))?.form
        else { throw BrokenInvariant(description: "broken: an authority has a host") }
        if authority.kind == .entra {
            let cloud = EntraCloud(host: host)
            try require(cloud != nil && cloud == EntraCloud(host: asked) && port == 443, "Entra is one of its hosts")
            try require(authority.environment == cloud?.cacheHost, "a cloud has one name in the cache")
        } else {
            try require(host == asked && port == askedPort, "the host that was written is the one that is asked")
            try require(EntraCloud(host: host) == nil || port != 443 || authority.kind != .oidc, "a cloud is known")
        }
        if authority.kind == .ciam { try require(asked.hasSuffix(".ciamlogin.com"), "CIAM is known by its host") }
    }

    private static func checkOthers(_ authority: Authority, _ text: String) throws(BrokenInvariant) {
        let atHome = authority.forHomeTenant(home)
        try require(
            atHome.environment == authority.environment && atHome.kind == authority.kind, "a home is in the same cloud")
        try require(authority.isMultiTenant ? atHome.tenant == home : atHome == authority, "a tenant stays")
        try require(authority.forHomeTenant(text) == authority || !text.contains("/"), "an address is no tenant")
        for host in [text, text + ".login.microsoftonline.com", "login.microsoftonline.com." + text] {
            try require(authority.forCloudInstance(host: host) == nil, "a response does not choose where codes go")
        }
    }
}
