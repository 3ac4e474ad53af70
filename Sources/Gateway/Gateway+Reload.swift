public import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardReactor
internal import SwitchyardRedis
internal import SwitchyardTLS
internal import Synchronization

/// The configuration and its files, read again while the gateway serves.
extension Gateway {
    /// Takes over a configuration that was read again, or reports why the old one stays.
    /// - Parameter file: its name.
    /// - Returns: the reported news.
    @discardableResult
    public func reload(_ outcome: LoadOutcome, from file: String) -> ReloadReport {
        let warnings = outcome.diagnostics.warnings.map(\.description)
        for warning in warnings { events.report(.gateway(.configurationWarning(warning))) }
        guard case .usable(let loaded) = outcome else {
            let errors = outcome.diagnostics.errors.map(\.description)
            for error in errors { events.report(.gateway(.reloadRefused(file: file, reason: error))) }
            core.configuration.refused(errors.first ?? "it cannot be used")
            return .refused(errors)
        }
        let configuration = loaded.configuration
        do {
            try reload(configuration)
            core.configuration.loaded(leftOut: loaded.leftOut)
            log?.adopt(configuration.log)
            log?.adopt(beginRate: configuration.limits.beginRate)
            events.refresh()
            let (apps, issuers) = (configuration.apps.count, configuration.issuers.count)
            events.report(
                .gateway(.reloaded(file: file, apps: apps, issuers: issuers, filesLeftOut: loaded.leftOut.count)))
            return .taken(apps: apps, issuers: issuers, warnings: warnings)
        } catch {
            events.report(.gateway(.reloadRefused(file: file, reason: "\(error)")))
            core.configuration.refused("\(error)")
            return .refused(["\(error)"])
        }
    }

    /// Lets the admin listener ask for a reload. `perform` is called from a task of any loop.
    public func whenAskedToReload(_ perform: @escaping @Sendable () async -> ReloadReport) {
        core.reload.adopt(perform)
    }

    /// Reads the certificates of the listeners that use one of `files` again, and shows them to new connections. If key
    /// and certificate do not fit, the old ones stay.
    /// - Returns: the listeners with unusable new certificates, with the reasons.
    public func renewCertificates(in files: Set<String>) -> [CertificateRefusal] {
        let configuration = policies.configuration
        var refusals: [CertificateRefusal] = []
        for (number, listener) in configuration.listeners.enumerated()
        where listener.tls.contains(where: { $0.paths.contains(where: files.contains) }) {
            do throws(GatewayError) {
                guard let context = try Self.context(for: listener, configuration) else { continue }
                server.replaceContext(ofListener: number, with: context)
                events.report(.gateway(.certificateTaken(address: "\(listener.address)")))
            } catch {
                refusals.append(CertificateRefusal(listener: number, reason: error.description))
            }
        }
        return refusals
    }

    /// Reports that a listener keeps its old certificates.
    public func report(_ refusal: CertificateRefusal) {
        events.report(.gateway(.certificateRefused(reason: refusal.reason)))
    }

    /// Takes over a new configuration for all that begins from now on. Listeners keep their addresses and services
    /// until a restart; only their certificates change.
    /// - Throws: ``GatewayError``; then the old configuration stays.
    public func reload(_ configuration: Configuration) throws(GatewayError) {
        let current = policies.configuration.listeners
        guard current.map(\.address) == configuration.listeners.map(\.address),
            current.map(\.serve) == configuration.listeners.map(\.serve),
            current.map(\.tls.isEmpty) == configuration.listeners.map(\.tls.isEmpty)
        else { throw GatewayError("listeners cannot be added, removed or changed without a restart") }
        guard policies.configuration.store.place == configuration.store.place else {
            throw GatewayError("the store cannot be changed without a restart")
        }
        let credentials = try Self.credentials(for: configuration.store)
        var contexts: [(Int, ServerContext)] = []
        for (number, listener) in configuration.listeners.enumerated() {
            if let context = try Self.context(for: listener, configuration) { contexts.append((number, context)) }
        }
        for (number, context) in contexts { server.replaceContext(ofListener: number, with: context) }
        let next = setup.withLock { Setup(configuration, after: $0) }
        let names = core.metrics.adopt(configuration)
        for worker in workers { worker.loop.execute { worker.adopt(next, names) } }
        core.waiting.adopt(maximum: configuration.limits.waitingPerAddress)
        policies.adopt(configuration)
        core.agent?.adopt(configuration)
        connections.adopt(Self.connectionPolicy(configuration, isAgent: core.agent != nil))
        server.replaceLimits(with: configuration.limits.http)
        core.callbackPorts.replaceLimits(with: configuration.limits.http)
        setup.withLock { $0 = next }
        if let credentials { storeAccess?.replace(with: credentials) }
    }
}
