internal import SwitchyardConfiguration
internal import SwitchyardHTTPClient
internal import SwitchyardHandlers
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRedemption

/// The gateway on one loop: the state that all loops share, and this loop's own, so that no request asks another core.
///
/// Why `@unchecked Sendable`: `setup` and `gateways` alone change, on the loop's thread, where they are read as well.
final class GatewayWorker: @unchecked Sendable {
    let core: GatewayCore
    let loop: EventLoop
    let redeemer: Redeemer
    /// The ways to apps that keep their own state.
    let handlers: Handlers
    /// The counters of this loop.
    let counters: LoopCounters
    /// For calls to other gateways; of use to agents alone.
    private(set) lazy var gateways = HTTPClient(loop: loop)
    /// Replaced by a reload, on this loop's thread.
    private(set) var setup: Setup

    init(_ core: GatewayCore, _ loop: EventLoop, _ setup: Setup) {
        self.core = core
        self.loop = loop
        self.setup = setup
        counters = core.metrics.loops[loop.index]
        handlers = Handlers(
            loop: loop, tickets: core.tickets, gateway: setup.configuration.socketForPrograms,
            route: setup.configuration.route, isStopping: { core.isStopping })
        redeemer = Redeemer(loop: loop) { [events = core.events] in events.report(.issuerCalled($0)) }
    }

    var registry: RequestRegistry { core.registry }

    /// From now on goes by another configuration. Only on the loop's thread.
    /// - Parameter names: of that configuration.
    func adopt(_ setup: Setup, _ names: MetricNames) {
        self.setup = setup
        handlers.route = setup.configuration.route
        counters.adopt(names)
    }
}

extension Configuration {
    /// The Unix socket for programs of this machine, as `--gateway` takes it; nil without one.
    fileprivate var socketForPrograms: String? {
        for listener in listeners where listener.serve.contains(.api) {
            if case .unix(let path, _, _) = listener.address, path.hasPrefix("/") { return "unix:\(path)" }
        }
        return nil
    }
}
