internal import SwitchyardCrypto
internal import SwitchyardRouting

/// Reads the main file, section by section, and then applies the rules that look at all of them.
struct ConfigurationDecoder {
    enum Key: String, ConfigurationKey {
        case publicURL = "public_url"
        case trustedProxies = "trusted_proxies"
        case networks
        case listen
        case store
        case encryptionKeys = "encryption_keys"
        case issuers
        case apps
        case appsDirectory = "apps_directory"
        case limits
        case log
    }

    /// Of one file. 100,000 apps take about 25 MiB.
    static let maximumSize = 256 << 20

    private let reader: MappingReader<Key>
    private var context: DecodingContext { reader.context }

    /// nil when there is nothing but errors, and those are in the log.
    static func decode(_ bytes: [UInt8], in context: DecodingContext) -> Configuration? {
        context.tree(of: bytes)
            .flatMap { MappingReader<Key>($0, in: context) }
            .flatMap { ConfigurationDecoder(reader: $0).decode() }
    }

    private func decode() -> Configuration? {
        let publicURL = reader.required(.publicURL, PublicURL.example).flatMap { self.publicURL($0) }
        let proxies = reader[.trustedProxies].map { TrustedProxiesSection.decode($0, in: context) } ?? TrustedProxies()
        let networks = reader[.networks].flatMap { context.networks($0) } ?? []
        let listeners = reader.required(.listen, "list at least one address to listen on")
            .map { ListenSection.decode($0, in: context) }
        checkStore()
        let keys = reader[.encryptionKeys].map { EncryptionKeysSection.decode($0, in: context) } ?? []
        // When public_url is wrong, the issuers are not blamed for it as well.
        let issuersSection = IssuersSection(context: context, allowsLoopbackHTTP: publicURL?.isLoopback ?? true)
        let issuers = reader[.issuers].map { issuersSection.decode($0) } ?? (issuers: [], names: [])
        let limits = reader[.limits].map { LimitsSection.decode($0, in: context) } ?? Limits()
        let log = reader[.log].map { LogSection.decode($0, in: context) } ?? LogConfiguration()
        let rules = AppRules(
            apps: apps(), issuers: issuers.issuers, issuerNames: issuers.names, publicURL: publicURL,
            listeners: listeners ?? [],
            proxiesPlace: reader[.trustedProxies].map { context.place($0.mark) }, trustedProxies: proxies,
            networks: networks, log: context.log)
        guard let routes = rules.check(), let publicURL, let listeners, !context.log.hasErrors else { return nil }
        return Configuration(
            publicURL: publicURL, trustedProxies: proxies, networks: networks,
            listeners: listeners.map(\.configuration), store: .memory,
            encryptionKeys: keys, issuers: issuers.issuers, routes: routes, limits: limits, log: log)
    }

    private func publicURL(_ node: YAMLNode) -> PublicURL? {
        guard let text = context.text(node, PublicURL.example) else { return nil }
        do {
            return try PublicURL(text)
        } catch {
            context.error(at: node.mark, "\"\(text)\" \(error.message)", error.remedy)
            return nil
        }
    }

    /// The one store that is built is the default one, so there is nothing to keep.
    private func checkStore() {
        guard let node = reader[.store], let text = context.text(node, "write memory"), text != "memory" else { return }
        let later = ["sqlite:", "redis:", "rediss:"]
        if later.contains(where: text.hasPrefix) {
            // An address of Redis may hold a password.
            let scheme = text.prefix { $0 != ":" }
            context.notSupportedYet("a store in \(scheme)", at: node.mark, "write memory, or leave it out")
        } else {
            // What follows a colon may be a password.
            let kind = text.prefix { $0 != ":" }
            context.error(at: node.mark, "an unknown kind of store, \"\(kind)\"", "write memory, or leave it out")
        }
    }

    private func apps() -> [DecodedApp] {
        let own = reader[.apps].map { AppsSection.decode($0, in: context) } ?? []
        return own + (reader[.appsDirectory].map { AppsSection.decodeDirectory($0, in: context) } ?? [])
    }
}
