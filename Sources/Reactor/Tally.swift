internal import Synchronization

/// A number that one thread adds to on the hot path, where even a check for exclusive access would cost. ``take()``
/// moves it to its counter.
public final class Tally: Sendable {
    private let count = Atomic(0)

    public init() {}

    /// Adds one, without a lock. Only one thread at a time may add or take.
    public func add() { count.store(count.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }

    /// The number of events since the last call.
    public func take() -> Int {
        let count = count.load(ordering: .relaxed)
        if count != 0 { self.count.store(0, ordering: .relaxed) }
        return count
    }
}
