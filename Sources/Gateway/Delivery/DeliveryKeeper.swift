internal import SwitchyardHandlers
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting

/// Has the store keep one callback while a webhook is tried, so that the next process, or another gateway, can
/// continue.
///
/// Why `@unchecked Sendable`: it is used on the thread of its loop only.
final class DeliveryKeeper: @unchecked Sendable {
    private let worker: GatewayWorker
    private let end: Instant
    /// The content in the store; nil if the store does not outlive this process or a program carries the callback.
    private let content: DeliveryContent?
    private let beginner: RequestRecord.Beginner
    private let app: AppID
    private let reference: Reference
    private var lease: DeliveryLease?
    /// Whether the next process, or another gateway, continues the delivery.
    private(set) var isLeft = false
    private(set) var setbacks = 0
    /// Whether the receiver wants no further try.
    private var isRefusedForGood = false

    /// How long a store that is out is asked again to note the end.
    private static let patience = Duration.seconds(10)

    /// - Parameter record: as this gateway has claimed it; nil for a callback that has just come.
    init(
        _ content: DeliveryContent?, _ record: RequestRecord?, of app: AppID, _ reference: Reference,
        until end: Instant, on worker: GatewayWorker
    ) {
        self.content = content
        self.worker = worker
        self.app = app
        self.reference = reference
        self.end = end
        // The address is never asked for, and the limits already count the callback.
        beginner = RequestRecord.Beginner(
            callerKey: content?.caller, isAddressUnknown: true, uid: nil, isAuthenticated: false)
        lease = record.map { DeliveryLease($0, worker.registry, worker.loop) }
    }

    /// Has the store keep it, unless it does.
    func keep() async {
        guard lease == nil, !isLeft, let content, Instant.now() < end else { return }
        let registry = worker.registry
        do throws(StoreError) {
            let kept = try await registry.storeDelivery(
                content.packed, of: app, reference, from: beginner, until: registry.now + (end - .now()))
            switch kept {
            case .claimed(let record): lease = DeliveryLease(record, registry, worker.loop)
            case .left: isLeft = true
            case .noRoom: break
            }
        } catch {
            // The webhook is still tried. If the store has it after all, the receiver recognizes the message by its ID.
        }
    }

    /// Whether this gateway may try now.
    var mayTry: Bool { lease?.mayTry ?? true }

    func noteSetback() { setbacks += 1 }

    func noteRefusedForGood() { isRefusedForGood = true }

    /// Leaves it to the next process, where this one ends, or to another gateway that may have it by now.
    /// - Returns: whether it is left; otherwise the result is the last word.
    func leaves(after result: DeliveryResult) async -> Bool {
        guard let lease, result != .ok, !isRefusedForGood, Instant.now() < end, worker.core.isStopping || !lease.mayTry
        else {
            return false
        }
        isLeft = true
        lease.stop()
        try? await worker.registry.leaveDelivery(lease.record)
        return true
    }

    /// It was handed over, or is given up.
    func finish() async {
        guard let lease, !isLeft else { return }
        _ = await worker.registry.insist(until: .now() + Self.patience) { () async throws(StoreError) in
            try await worker.registry.endDelivery(lease.record)
        }
        lease.stop()
    }
}
