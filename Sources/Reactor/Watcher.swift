internal import SwitchyardCLinux

/// The kinds of readiness of a descriptor; the kernel's own bits.
public struct Readiness: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    public static let peerClosed = Readiness(rawValue: EPOLLRDHUP.rawValue)
    public static let hungUp = Readiness(rawValue: EPOLLHUP.rawValue)
    public static let failed = Readiness(rawValue: EPOLLERR.rawValue)
    public static let edge = Readiness(rawValue: EPOLLET.rawValue)
    /// Wakes one of several loops that watch the same listening socket.
    static let exclusive = Readiness(rawValue: EPOLLEXCLUSIVE.rawValue)
}

/// Something that an event loop calls, always on the loop's own thread.
public protocol Watcher: AnyObject {
    func isReady(_ events: Readiness)

    /// The time at which a watcher wants to be called, checked a few times a second; ``Instant/never`` without one.
    var deadline: Instant { get }
    func deadlineHasPassed()
}

extension Watcher {
    public var deadline: Instant { .never }
    public func deadlineHasPassed() {}
}

/// The name of one watch. The token of an ended watch stays invalid, also when its slot is used again.
public struct WatchToken: Sendable {
    let value: UInt64
}

/// Watchers by token: a place and a generation, so that an event for a watch that ended in the same round is dropped.
struct WatcherTable {
    private var slots: [(generation: UInt32, watcher: (any Watcher)?)] = []
    private var free: [UInt32] = []

    var isEmpty: Bool { free.count == slots.count }

    mutating func insert(_ watcher: any Watcher) -> UInt64 {
        let place = free.popLast() ?? UInt32(slots.count)
        if Int(place) == slots.count {
            slots.append((0, watcher))
        } else {
            slots[Int(place)].watcher = watcher
        }
        return UInt64(slots[Int(place)].generation) << 32 | UInt64(place)
    }

    mutating func remove(_ token: UInt64) {
        let place = Int(token & 0xFFFF_FFFF)
        guard self[token] != nil else { return }
        slots[place].watcher = nil
        slots[place].generation &+= 1
        free.append(UInt32(place))
    }

    subscript(token: UInt64) -> (any Watcher)? {
        let place = Int(token & 0xFFFF_FFFF)
        guard place < slots.count, slots[place].generation == UInt32(token >> 32) else { return nil }
        return slots[place].watcher
    }

    /// The present watchers; a snapshot, because a call may end its own watch.
    var all: [any Watcher] { slots.compactMap(\.watcher) }
}
