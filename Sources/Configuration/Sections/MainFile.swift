internal import SwitchyardCrypto
internal import SwitchyardHTTPClient
internal import SwitchyardRouting

/// Reads the main file, section by section, and then applies the rules that look at all of them.
struct MainFile {
    enum Key: String, ConfigurationKey {
        case publicURL = "public_url"
        case trustedProxies = "trusted_proxies"
        case networks
        case listen
        case store
        case encryptionKeys = "encryption_keys"
        case outgoing
        case issuers
        case apps
        case appsDirectory = "apps_directory"
        case resources
        case clients
        case limits
        case stopTimeout = "stop_timeout"
        case log
        case pages

        static let later = ["well_known"]
    }

    /// The largest file, in bytes. 100,000 apps take about 25 MiB.
    static let maximumSize = 256 << 20

    private let reader: MappingReader<Key>
    private var context: DecodingContext { reader.context }

    /// Decodes the main file; nil if no configuration could be read. The errors are in the log then.
    static func decode(_ bytes: [UInt8], in context: DecodingContext) -> Configuration? {
        context.tree(of: bytes)
            .flatMap { MappingReader<Key>($0, in: context) }
            .flatMap { MainFile(reader: $0).decode() }
    }

    private func decode() -> Configuration? {
        let agent = context.file.agent
        let written = agent == nil ? reader.required(.publicURL, PublicURL.example) : reader[.publicURL]
        var publicURL = written.flatMap { self.publicURL($0) }
        let proxies = reader[.trustedProxies].map { TrustedProxiesSection.decode($0, in: context) } ?? TrustedProxies()
        let networks = reader[.networks].flatMap { context.networks($0) } ?? []
        let listen =
            agent == nil ? reader.required(.listen, "list at least one address to listen on") : reader[.listen]
        var listeners = listen.map { ListenSection.decode($0, in: context) }
        if let agent {
            listeners = AgentFiles.listeners(listeners ?? [], at: agent, in: context)
            if written == nil { publicURL = .ofAgent(listeners ?? []) }
        }
        context.publicURL = publicURL
        let store =
            reader[.store].map { StoreSection.decode($0, in: context) ?? .memory } ?? StoreSection.standard(in: context)
        let keys = reader[.encryptionKeys].map { EncryptionKeysSection.decode($0, in: context) } ?? []
        if case .redis = store, reader[.encryptionKeys] == nil {
            EncryptionKeysSection.reportMissing(reader.mark(of: .store), context)
        }
        let route = reader[.outgoing].map { OutgoingSection(context: context).decode($0) } ?? .direct
        // When public_url is wrong, the issuers are not blamed for it as well.
        let issuersSection = IssuersSection(context: context, allowsLoopbackHTTP: publicURL?.isLoopback ?? true)
        var issuers = reader[.issuers].map { issuersSection.decode($0) } ?? (issuers: [], names: [])
        let files = agent.map { agent in
            AgentFiles(
                read: agent.folders, in: context, allowsLoopbackHTTP: issuersSection.allowsLoopbackHTTP,
                besides: FileLists(
                    issuers: reader[.issuers], apps: reader[.apps], in: context,
                    allowsLoopbackHTTP: issuersSection.allowsLoopbackHTTP))
        }
        files?.addIssuers(to: &issuers)
        let limits = reader[.limits].map { LimitsSection.decode($0, in: context) } ?? Limits()
        var stopTimeout = Duration.seconds(30)
        if let node = reader[.stopTimeout] {
            context.duration(node, .milliseconds(100)...(.seconds(3600)), into: &stopTimeout)
        }
        let log = reader[.log].map { LogSection.decode($0, in: context) } ?? LogConfiguration()
        let listed = apps(issuers.names, files)
        let resources =
            reader[.resources].map { ResourcesSection(context: context).decode($0) }
            ?? (agent == nil ? ResourcesSection.Decoded() : ResourcesSection.standardOfAgent())
        let clients =
            reader[.clients].map { node in
                ClientsSection(context: context, publicURL: publicURL)
                    .decode(node, taken: Set(listed.map(\.registration.id.text)))
            } ?? []
        let pages = reader[.pages].map { PagesSection(context: context).decode($0) } ?? PagesConfiguration()
        let rules = Rules(
            apps: listed + (files?.apps(issuerNames: issuers.names) ?? []) + resources.entries,
            issuers: issuers.issuers,
            // The default public URL of an agent is not configured, so no rule checks it.
            publicURL: written == nil && agent != nil ? nil : publicURL, listeners: listeners ?? [],
            proxiesPlace: reader[.trustedProxies].map { context.place($0.mark) }, trustedProxies: proxies,
            networks: networks, isForAgent: agent != nil, log: context.log)
        guard let routes = rules.check(), let publicURL, let listeners, !context.log.hasErrors else {
            return nil
        }
        var configuration = Configuration(
            publicURL: publicURL,
            trustedProxies: TrustedProxies(
                networks: proxies.networks, uids: proxies.uids, canVouchForLocalhost: publicURL.isLoopback),
            networks: networks,
            listeners: listeners.map(\.configuration), store: store,
            encryptionKeys: keys, route: route, issuers: issuers.issuers,
            routes: routes.allowing(others: resources.others), limits: limits,
            stopTimeout: stopTimeout,
            log: log, pages: pages)
        configuration.clients = clients
        configuration.fileLists = files?.lists ?? []
        return configuration
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

    /// - Parameter files: an agent's other files; an app whose issuer they make doubtful is left out with a warning.
    private func apps(_ issuerNames: Set<String>?, _ files: AgentFiles?) -> [DecodedApp] {
        let section = AppsSection(issuerNames: issuerNames)
        func isCertain(_ app: DecodedApp) -> Bool {
            guard let doubt = files?.doubt(about: app.registration.issuer) else { return true }
            context.warning(
                at: reader.mark(of: .apps), "the app \"\(app.registration.id)\" is left out: \(doubt)",
                AgentFiles.remedyOfDoubt)
            return false
        }
        let own = (reader[.apps].map { section.decode($0, in: context) } ?? []).filter(isCertain)
        let others = reader[.appsDirectory].map { section.decodeDirectory($0, in: context) } ?? []
        let all = own + others.filter(isCertain)
        noteRanges(all, from: own.count)
        return all
    }

    /// Notes the apps of each file, for the time when the file has errors.
    private func noteRanges(_ apps: [DecodedApp], from start: Int) {
        var begin = start
        for index in start..<apps.count where index + 1 == apps.count || apps[index + 1].file !== apps[index].file {
            context.files.ranges[apps[index].file.name] = begin..<index + 1
            begin = index + 1
        }
    }
}
