internal import Synchronization

/// A number that one thread adds to, so often that even a look whether it may would count: the hot path's way of
/// counting. It is kept until ``take()`` gives it to where it belongs.
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
