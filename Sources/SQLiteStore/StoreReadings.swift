internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import Synchronization

/// The requests with an answer that was read for the first time. No caller waits for this write: readers note it here,
/// and the next `age` writes it. Most of these answers are acknowledged before that, so their write is spared. Safe
/// from any thread.
final class StoreReadings: Sendable {
    /// A transaction that takes longer than this says that the disk may stand still.
    private static let usualTransaction = Duration.milliseconds(500)

    private let table: RecordTable
    private let unwritten = Mutex<Set<RequestID>>([])
    private let isWell = Atomic(false)
    /// When the present transaction began, in nanoseconds; 0 between two.
    private let busySince = Atomic<UInt64>(0)

    init(of table: RecordTable) {
        self.table = table
    }

    /// Takes the step of a first reading.
    /// - Returns: nil if the disk may be out; then the writer must take the step.
    func read(
        _ key: RequestKey, _ transition: RequestTransition, at now: Timestamp
    ) -> Result<RequestRecord, RequestTransition.Refusal>? {
        guard isUsable else { return nil }
        return Result { () throws(RequestTransition.Refusal) in
            try table.update(key) { record, size throws(RequestTransition.Refusal) in
                let old = QuotaCounter.Entry(record, packed: size)
                try record.apply(transition, at: now)
                let packed = record.packed
                table.counter.move(from: old, to: QuotaCounter.Entry(record, packed: packed.count))
                let id = record.id
                unwritten.withLock { _ = $0.insert(id) }
                return .keep(packed: packed)
            }
        }
    }

    private var isUsable: Bool {
        guard isWell.load(ordering: .acquiring) else { return false }
        let begin = busySince.load(ordering: .acquiring)
        return begin == 0 || Instant.now() < Instant(nanoseconds: begin) + Self.usualTransaction
    }

    // MARK: For the writer

    /// Notes whether the last transaction succeeded.
    func note(isWell: Bool) { self.isWell.store(isWell, ordering: .releasing) }

    /// Notes that a transaction begins, or that it has ended.
    func note(isBusy: Bool) { busySince.store(isBusy ? Instant.now().nanoseconds : 0, ordering: .releasing) }

    var isEmpty: Bool { unwritten.withLock(\.isEmpty) }

    /// Takes the noted requests, which the writer then writes.
    func take() -> Set<RequestID> {
        unwritten.withLock { unwritten in
            defer { unwritten = [] }
            return unwritten
        }
    }
}
