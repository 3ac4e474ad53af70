internal import Glibc
internal import SwitchyardConfiguration
internal import SwitchyardGateway
internal import SwitchyardLifecycle
internal import SwitchyardReactor

/// Controls a running gateway: by signals, by its operator over the admin listener, by changes to its files. Everything
/// happens on the main thread's loop, one step after the other.
///
/// Why `@unchecked Sendable`: it is used on the thread of its loop only.
final class ServeControl: @unchecked Sendable {
    private let gateway: Gateway
    private let keeper: ConfigurationKeeper
    private let signals: SignalSource
    private let loop: EventLoop
    private let ended = Signal()
    private let watchdog: Watchdog?
    private var isStopping = false
    private var isUpgrading = false
    /// This reload was asked for, and is told as one.
    private var isReloading = false
    private var hasSuccessor = false
    /// A SIGHUP came during an upgrade.
    private var isReloadDue = false
    /// After how long without work it stops by itself; nil for never.
    private let idle: Duration?

    init(
        _ gateway: Gateway, _ keeper: ConfigurationKeeper, _ signals: SignalSource, _ group: EventLoopGroup,
        on loop: EventLoop, idle: Duration? = nil
    ) {
        self.idle = idle
        watchdog = ServiceManager.watchdogInterval.map { Watchdog(group.loops, every: $0, on: loop) }
        self.gateway = gateway
        self.keeper = keeper
        self.signals = signals
        self.loop = loop
    }

    /// Returns when the gateway has stopped.
    /// - Returns: whether another process has replaced it.
    func run() async throws -> Bool {
        try signals.start(on: loop) { [self] number in receive(number) }
        keeper.whenReloaded = { [self] report in
            if !isReloading { ServiceManager.tell(status(report)) }
        }
        try keeper.start()
        gateway.whenAskedToReload { [self] in
            await Task(executorPreference: loop) { [self] in reload() }.value
        }
        watchdog?.start()
        if let idle { loop.start { [self] in await stopOnceIdle(idle) } }
        ServiceManager.tell(.ready, status(nil))
        _ = await ended.wait()
        watchdog?.stop()
        keeper.stop()
        return hasSuccessor
    }

    private func receive(_ number: Int32) {
        switch number {
        case SIGHUP:
            if isUpgrading { isReloadDue = true } else if !isStopping { reload() }
        case SIGUSR2: upgrade()
        case SIGTERM, SIGINT: stop()
        default: break
        }
    }

    @discardableResult
    private func reload() -> ReloadReport {
        // The successor has read the configuration already.
        guard !isUpgrading else { return .refused(["the gateway is being upgraded; reload the new one"]) }
        ServiceManager.tell(.reloading)
        isReloading = true
        let report = keeper.reload()
        isReloading = false
        ServiceManager.tell(.ready, status(report))
        return report
    }

    private func status(_ report: ReloadReport?) -> ServiceManager.News {
        let configuration = keeper.configuration
        var line =
            "serving \(configuration.apps.count.counted("app")) of \(configuration.issuers.count.counted("issuer"))"
        if !keeper.leftOut.isEmpty { line += "; not in use: \(keeper.leftOut.map(\.file).joined(separator: ", "))" }
        if case .refused(let errors)? = report {
            line += "; the last reload was refused: \(errors.first ?? "the configuration cannot be used")"
        }
        return .status(line)
    }

    private func upgrade() {
        guard !isStopping, !isUpgrading else { return }
        isUpgrading = true
        loop.start { [self] in
            guard let successor = await Upgrade(gateway: gateway, arguments: CommandLine.arguments, loop: loop).run()
            else {
                isUpgrading = false
                // A stop or a reload was requested in between.
                if isStopping { drain() } else if isReloadDue { reload() }
                isReloadDue = false
                return
            }
            // It may have read the configuration before that was changed.
            if isReloadDue { successor.reload() }
            keeper.stop()
            isStopping = true
            hasSuccessor = true
            await gateway.endFor(successor.process, grace: keeper.configuration.stopTimeout)
            ended.raise()
        }
    }

    /// Stops after a time without requests. No connection is lost: new ones wait at the socket for the next process.
    private func stopOnceIdle(_ idleTime: Duration) async {
        var since = Instant.now()
        while !isStopping {
            await EventLoop.sleep(until: .now() + min(idleTime, .seconds(5)) / 4)
            guard await gateway.isIdle else {
                since = .now()
                continue
            }
            guard Instant.now() - since >= idleTime, !isStopping, await gateway.closeIfIdle() else { continue }
            stop()
        }
    }

    /// The second time it is meant at once.
    private func stop() {
        guard !isStopping else { return ended.raise() }
        isStopping = true
        if !isUpgrading { drain() }
    }

    private func drain() {
        ServiceManager.tell(.stopping, .status("stopping: what is under way finishes"))
        loop.start { [self] in
            await gateway.stop(grace: keeper.configuration.stopTimeout)
            ended.raise()
        }
    }
}
