public import SwitchyardReactor
internal import Synchronization

/// Wakes the tasks that wait for a change of a request. Safe from any thread.
public final class ChangeHub: Sendable {
    /// The number of changes at a moment, by which ``watch(_:since:)`` knows whether anything has changed since.
    public struct Revision: Sendable {
        fileprivate let changes: UInt64
    }

    private struct State {
        var watches: [RequestID: Watchers] = [:]
        /// The number of reported changes of all requests of the shard.
        var changes: UInt64 = 0
    }

    /// The watchers of one request. Nearly always there is one, which then needs no array, because many requests have
    /// watchers.
    private enum Watchers: Sendable {
        case one(RequestWatch)
        case several([RequestWatch])

        var all: [RequestWatch] {
            switch self {
            case .one(let watch): [watch]
            case .several(let watches): watches
            }
        }
    }

    /// A mutex cannot stand in an array by itself.
    private final class Shard: Sendable {
        let state = Mutex(State())
    }

    private let shards = (0..<64).map { _ in Shard() }

    init() {}

    /// The revision that a caller takes before it looks at a request that it will watch.
    public func revision(_ id: RequestID) -> Revision {
        Revision(changes: shard(id).state.withLock(\.changes))
    }

    /// Reports each change from now on, until ``stop(_:)``.
    /// - Parameters:
    ///   - revision: taken before the request was last looked at. If there may have been a change since, the signal is raised
    ///     at once, so the watcher need not look again.
    ///   - isCollecting: whether the watcher gives the outcome to the app as soon as the request has ended, however the code
    ///     is released.
    public func watch(_ id: RequestID, since revision: Revision, isCollecting: Bool = false) -> RequestWatch {
        let watch = RequestWatch(id, isCollecting: isCollecting)
        let isOld = shard(id).state.withLock { state in
            state.watches[id] = state.watches[id].map { .several($0.all + [watch]) } ?? .one(watch)
            return state.changes != revision.changes
        }
        if isOld { watch.signal.raise() }
        return watch
    }

    /// Ends a watch of ``watch(_:since:)``.
    public func stop(_ watch: RequestWatch) {
        shard(watch.id).state.withLock { state in
            let others = (state.watches[watch.id]?.all ?? []).filter { $0 !== watch }
            state.watches[watch.id] = others.isEmpty ? nil : .several(others)
        }
    }

    /// Whether an app gets the outcome as soon as the request has ended.
    func isCollecting(_ id: RequestID) -> Bool {
        shard(id).state.withLock { $0.watches[id]?.all.contains { $0.isCollecting } ?? false }
    }

    /// Tells the watchers of a request that it may have changed.
    public func notify(_ id: RequestID) {
        for watch in change(id) { watch.signal.raise() }
    }

    /// Tells the watchers of a request that it has ended. They need not look again, because the outcome is final.
    func notify(ended record: RequestRecord) {
        for watch in change(record.id) { watch.end(record) }
    }

    /// Raises every signal: for a gateway that is stopping, or that may have missed changes.
    public func notifyAll() {
        for shard in shards {
            let watches = shard.state.withLock { state in
                state.changes &+= 1
                return state.watches.values.flatMap(\.all)
            }
            for watch in watches { watch.signal.raise() }
        }
    }

    private func change(_ id: RequestID) -> [RequestWatch] {
        shard(id).state.withLock { state in
            state.changes &+= 1
            return state.watches[id]?.all ?? []
        }
    }

    private func shard(_ id: RequestID) -> Shard {
        shards[Int(id.key % UInt64(shards.count))]
    }
}

/// A wait for a change of one request. Safe from any thread, but only one task may wait for its signal.
public final class RequestWatch: Sendable {
    public let id: RequestID
    /// Raised at each change, and by the waiting task itself, to be woken for a reason of its own.
    public let signal = Signal()
    /// A box, so that a wait without an end takes no room for one.
    private final class End: Sendable {
        let record: RequestRecord

        init(_ record: RequestRecord) {
            self.record = record
        }
    }

    private let end = Mutex<End?>(nil)

    fileprivate let isCollecting: Bool

    fileprivate init(_ id: RequestID, isCollecting: Bool) {
        self.id = id
        self.isCollecting = isCollecting
    }

    /// The request as it ended. nil while it is unfinished as far as this gateway knows, and if it ended at another
    /// gateway: then the caller must look at it.
    public var ended: RequestRecord? { end.withLock(\.self)?.record }

    fileprivate func end(_ record: RequestRecord) {
        let end = End(record)
        self.end.withLock { $0 = end }
        signal.raise()
    }
}

/// Reports changes by other gateways, so that the tasks that wait here are woken. Safe from any thread.
public protocol ChangeFeed: Sendable {
    /// Calls `tell` for each request that another gateway changes from now on, and `missed` when reports may have been
    /// lost; on any thread.
    func follow(_ tell: @escaping @Sendable (RequestID) -> Void, missed: @escaping @Sendable () -> Void)

    /// The interval after which a waiting task looks again, because reports may be lost; nil if they cannot.
    var rereadInterval: Duration? { get }
}

extension ChangeFeed {
    /// For a store that belongs to one gateway: there are no others to follow.
    public func follow(_ tell: @escaping @Sendable (RequestID) -> Void, missed: @escaping @Sendable () -> Void) {}

    /// nil: every change is reported.
    public var rereadInterval: Duration? { nil }
}
