internal import SwitchyardPendingRequests
internal import SwitchyardReactor

/// Keeps a request for as long as its code is being redeemed: an issuer may take longer for all of its answers than the
/// lease of a gateway that has died should last.
///
/// Why `@unchecked Sendable`: `timer` alone changes, on the thread of the loop on which it is made,
/// stopped and rescheduled.
final class LeaseKeeper: @unchecked Sendable {
    private let record: RequestRecord
    private let registry: RequestRegistry
    private let loop: EventLoop
    private var timer: Timer?

    /// - Parameter record: as its claim gave it.
    init(_ record: RequestRecord, _ registry: RequestRegistry, _ loop: EventLoop) {
        self.record = record
        self.registry = registry
        self.loop = loop
        schedule()
    }

    func stop() { timer?.cancel() }

    private func schedule() {
        timer = loop.schedule(at: .now() + registry.lease / 2) { [self] in
            schedule()
            // Refused once the request is over; the registry reports a failing store.
            loop.start { [registry, record] in _ = try? await registry.prolong(record) }
        }
    }
}
