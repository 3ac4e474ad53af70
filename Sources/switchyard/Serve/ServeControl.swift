internal import Glibc
internal import SwitchyardConfiguration
internal import SwitchyardGateway
internal import SwitchyardReactor

/// What a running gateway is told: by signals, by its operator over the admin listener, by its files. Everything happens
/// on the main thread's loop, one thing after the other.
///
/// Why `@unchecked Sendable`: it is used on the thread of its loop only.
final class ServeControl: @unchecked Sendable {
    private let gateway: Gateway
    private let keeper: ConfigurationKeeper
    private let signals: SignalSource
    private let loop: EventLoop
    private let ended = Signal()
    private var isStopping = false

    init(_ gateway: Gateway, _ keeper: ConfigurationKeeper, _ signals: SignalSource, on loop: EventLoop) {
        self.gateway = gateway
        self.keeper = keeper
        self.signals = signals
        self.loop = loop
    }

    /// Comes back when the gateway has stopped.
    func run() async throws {
        try signals.start(on: loop) { [self] number in receive(number) }
        try keeper.start()
        gateway.whenAskedToReload { [self] in
            await Task(executorPreference: loop) { [self] in keeper.reload() }.value
        }
        _ = await ended.wait()
        keeper.stop()
    }

    private func receive(_ number: Int32) {
        switch number {
        case SIGHUP: if !isStopping { keeper.reload() }
        case SIGTERM, SIGINT: stop()
        default: break
        }
    }

    /// The second time it is meant at once.
    private func stop() {
        guard !isStopping else { return ended.raise() }
        isStopping = true
        loop.start { [self] in
            await gateway.stop(grace: keeper.configuration.stopTimeout)
            ended.raise()
        }
    }
}
