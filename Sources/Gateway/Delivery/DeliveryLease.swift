internal import SwitchyardPendingRequests
internal import SwitchyardReactor

/// This gateway's lease on a callback that the store keeps until it is handed over. While the lease holds, no other gateway
/// tries.
///
/// Why `@unchecked Sendable`: what changes is touched on the thread of the loop only.
final class DeliveryLease: @unchecked Sendable {
    let record: RequestRecord
    private let registry: RequestRegistry
    private let loop: EventLoop
    private var timer: Timer?
    /// When the last try may begin.
    private var end: Instant

    /// How often the lease is prolonged.
    private static let interval = Duration.seconds(5)
    /// A receiver has this long to answer a try, which must be over before another gateway begins one.
    private static let tryTime = Duration.seconds(12)
    /// For how long tries may begin.
    private static let span = RequestRegistry.deliveryLease - tryTime

    /// - Parameter record: as its claim gave it, just now.
    init(_ record: RequestRecord, _ registry: RequestRegistry, _ loop: EventLoop) {
        self.record = record
        self.registry = registry
        self.loop = loop
        end = .now() + Self.span
        schedule()
    }

    /// Whether a try may begin.
    var mayTry: Bool { Instant.now() < end }

    func stop() { timer?.cancel() }

    private func schedule() {
        timer = loop.schedule(at: .now() + Self.interval) { [self] in
            schedule()
            loop.start { [self] in await prolong() }
        }
    }

    private func prolong() async {
        let begin = Instant.now()
        do throws(StoreError) {
            let isOurs = try await registry.prolongDelivery(record)
            end = isOurs ? max(end, begin + Self.span) : Instant(nanoseconds: 0)
        } catch {
            // The lease ends by itself, unless the store works again before.
        }
    }
}
