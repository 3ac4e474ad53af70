internal import SwitchyardReactor
internal import SwitchyardRedemption

/// The gateway's part on one loop: what is needed on every request without asking another core.
///
/// Why `@unchecked Sendable`: it is used on its loop's thread only.
final class GatewayWorker: @unchecked Sendable {
    let loop: EventLoop
    let redeemer: Redeemer
    /// Replaced by a reload, on this loop's thread.
    var setup: Setup

    init(_ loop: EventLoop, _ setup: Setup) {
        self.loop = loop
        self.setup = setup
        redeemer = Redeemer(loop: loop)
    }
}
