internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardGateway
internal import SwitchyardReactor

/// Keeps a gateway's configuration in line with its files: reads all of it again on demand, and the files that it names
/// when they change on the disk. The main file counts only on demand, because an editor may still be writing it.
///
/// Why `@unchecked Sendable`: it is used on the thread of its loop only.
final class ConfigurationKeeper: @unchecked Sendable {
    private let path: String
    private let gateway: Gateway
    private let loop: EventLoop
    /// The one that is served.
    private(set) var configuration: Configuration
    private var source: ConfigurationSource
    /// The files as they were at the last look, also if that look had no effect.
    private var seen: WatchedFiles
    private var watcher: DirectoryWatcher?
    private var look: Timer?
    private var lookAt = Instant.never
    /// Something has changed that cannot be used together with the rest: it is tried again when that changes.
    private var isBehind = false
    /// Certificates that cannot be used, by listener; true once that was reported. A key and a certificate that are
    /// written one after the other cause no report for the moment between them.
    private var refused: [Int: Bool] = [:]
    private let report: (ReloadReport) -> Void
    /// Also called after each reload, if set.
    var whenReloaded: ((ReloadReport) -> Void)?
    /// The files that are not in use as they are.
    private(set) var leftOut: [LeftOutFile]
    private let read: (ConfigurationSource) -> LoadOutcome

    /// A rename of a folder is several changes, and so is a file that is written piece by piece.
    private static let settling = Duration.milliseconds(300)
    /// How long key and certificate may not fit each other before a word is said.
    private static let writingLimit = Duration.seconds(2)
    /// The interval of looks where no changes are reported, as on a network's file system.
    private static let interval = Duration.seconds(5)

    /// - Parameters:
    ///   - read: reads everything anew.
    ///   - report: called with the result of each reload.
    init(
        _ loaded: LoadedConfiguration, from path: String, for gateway: Gateway, on loop: EventLoop,
        read: @escaping (ConfigurationSource) -> LoadOutcome, _ report: @escaping (ReloadReport) -> Void = { _ in }
    ) {
        self.read = read
        self.path = path
        self.gateway = gateway
        self.loop = loop
        self.report = report
        configuration = loaded.configuration
        leftOut = loaded.leftOut
        source = loaded.source
        seen = loaded.source.files
    }

    /// Begins to look after the files.
    func start() throws(SystemError) {
        watcher = try DirectoryWatcher(on: loop) { [self] in lookSoon(Self.settling) }
        watcher?.watch(seen.places())
        lookSoon(Self.interval)
    }

    func stop() {
        watcher?.stop()
        look?.cancel()
        watcher = nil
    }

    /// Reads everything again.
    @discardableResult
    func reload() -> ReloadReport {
        let result = take(read(source))
        if watcher != nil { lookSoon(Self.interval) }
        return result
    }

    private func take(_ outcome: LoadOutcome) -> ReloadReport {
        let result = gateway.reload(outcome, from: path)
        if case .taken = result, case .usable(let loaded) = outcome {
            configuration = loaded.configuration
            leftOut = loaded.leftOut
            source = loaded.source
            seen = source.files
            isBehind = false
            refused = [:]
        } else {
            // The certificates are looked at by themselves.
            let others = outcome.source?.files.only(certificates, false) ?? WatchedFiles()
            seen = others.adding(seen.only(certificates)).adding(source.files)
            isBehind = true
        }
        watcher?.watch(seen.places())
        report(result)
        whenReloaded?(result)
        return result
    }

    // MARK: Looking

    private var certificates: Set<String> {
        Set(configuration.listeners.flatMap { $0.tls.flatMap(\.paths) })
    }

    private func lookSoon(_ delay: Duration) {
        let instant = Instant.now() + delay
        guard look == nil || instant < lookAt else { return }
        look?.cancel()
        lookAt = instant
        look = loop.schedule(at: instant) { [self] in
            look = nil
            lookAtFiles()
        }
    }

    private func lookAtFiles() {
        guard watcher != nil else { return }
        lookSoon(Self.interval)
        let changed = seen.changed()
        let untold = refused.contains { !$0.value }
        guard !changed.isEmpty || untold else { return }
        seen = seen.only(changed, false).adding(seen)
        renewCertificates(changed)
        // An app's file that is wrong does not keep a certificate from being renewed, which is why those come first.
        if isBehind && !changed.isEmpty || !changed.isSubset(of: certificates) {
            _ = take(Configuration.load(again: source, expiredCertificate: .warning))
        } else {
            watcher?.watch(seen.places())
        }
    }

    private func renewCertificates(_ changed: Set<String>) {
        let listeners = configuration.listeners
        let waiting = refused.keys.flatMap { listeners[$0].tls.flatMap(\.paths) }
        let files = changed.intersection(certificates).union(waiting)
        guard !files.isEmpty else { return }
        var still: [Int: Bool] = [:]
        for refusal in gateway.renewCertificates(in: files) {
            let wasTold = refused[refusal.listener]
            // Another mistake than before is worth another word.
            let mustTell = wasTold == false || wasTold == true && !changed.isDisjoint(with: certificates)
            if mustTell { gateway.report(refusal) }
            still[refusal.listener] = wasTold != nil
        }
        refused = still
        if still.values.contains(false) { lookSoon(Self.writingLimit) }
    }
}
