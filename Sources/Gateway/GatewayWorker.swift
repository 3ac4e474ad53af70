internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRedemption

/// The gateway on one loop: what all loops share, and what this one has for itself, so that no request asks another core.
///
/// Why `@unchecked Sendable`: `setup` alone changes, on the loop's thread, where it is read as well.
final class GatewayWorker: @unchecked Sendable {
    let core: GatewayCore
    let loop: EventLoop
    let redeemer: Redeemer
    /// What this loop has counted.
    let counters: LoopCounters
    /// Replaced by a reload, on this loop's thread.
    private(set) var setup: Setup

    init(_ core: GatewayCore, _ loop: EventLoop, _ setup: Setup) {
        self.core = core
        self.loop = loop
        self.setup = setup
        counters = core.metrics.loops[loop.index]
        redeemer = Redeemer(loop: loop) { [events = core.events] in events.tell(.issuerCalled($0)) }
    }

    var registry: RequestRegistry { core.registry }

    /// From now on goes by another configuration. Only on the loop's thread.
    /// - Parameter names: of that configuration.
    func use(_ setup: Setup, _ names: MetricNames) {
        self.setup = setup
        counters.use(names)
    }
}
