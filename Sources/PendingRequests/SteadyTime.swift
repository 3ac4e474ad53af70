internal import SwitchyardReactor
internal import SwitchyardText
internal import Synchronization

/// The time of day for stored times, without the jumps that a machine's clock makes when a person sets it. If an hour
/// passed within a moment, every sign-in under way would end. If an hour came twice, a lease would outlive its gateway.
/// Safe from any thread.
public final class SteadyTime: Sendable {
    private let follower: Mutex<ClockFollower>
    /// The offset to the milliseconds since the machine was started.
    private let offset: Atomic<Int64>
    /// Added to each instant, so that a millisecond begins here when it begins on the machine's clock.
    private let phase: Nanoseconds

    /// Begins with the machine's clock as it is.
    public init() {
        let (wall, start) = (WallTime.now().nanoseconds, Instant.sinceBoot())
        let millisecond: Int64 = 1_000_000
        let behind = (wall % millisecond - Int64(start.nanoseconds % UInt64(millisecond)) + millisecond) % millisecond
        phase = Nanoseconds(.nanoseconds(behind))
        let follower = ClockFollower(wall: Timestamp(milliseconds: wall / millisecond), since: start + phase)
        offset = Atomic(follower.offset)
        self.follower = Mutex(follower)
    }

    /// The time of day by this clock.
    public func now() -> Timestamp {
        Timestamp(milliseconds: (Instant.sinceBoot() + phase).milliseconds + offset.load(ordering: .relaxed))
    }

    /// How the machine's clock was set while this one looked.
    public var steps: ClockSteps { follower.withLock(\.steps) }

    /// Looks at the machine's clock; to be called about once a second.
    public func followWallClock() {
        let offset = follower.withLock { follower in
            follower.follow(wall: .now(), at: .sinceBoot() + phase)
            return follower.offset
        }
        self.offset.store(offset, ordering: .relaxed)
    }
}

/// The times that a machine's clock was set.
public struct ClockSteps: Hashable, Sendable {
    /// 0 or more.
    public internal(set) var count = 0
    /// When it was set for the last time, by the clock as it was then; 1970 when it never was.
    public internal(set) var lastAt = Timestamp(milliseconds: 0)
    /// By how many milliseconds it was then, below 0 for a clock that was set back; 0 when it never was.
    public internal(set) var lastMilliseconds: Int64 = 0

    /// It was never set.
    public init() {}
}

/// Makes a steady time follow a clock that may jump: small differences at once, large ones by a tenth of the time that
/// passes. So no lifetime changes by more than a tenth.
struct ClockFollower {
    /// The steady time, less the milliseconds since the machine was started.
    private(set) var offset: Int64
    private var lastLook: Instant
    private(set) var steps = ClockSteps()
    /// By how much the clock was ahead after the last look.
    private var lag: Int64 = 0

    /// The maximum error of a clock that a time service keeps right.
    private static let trust: Int64 = 2000

    init(wall: Timestamp, since start: Instant) {
        offset = wall.milliseconds - start.milliseconds
        lastLook = start
    }

    mutating func follow(wall: Timestamp, at now: Instant) {
        let passed = now.milliseconds - lastLook.milliseconds
        lastLook = now
        let difference = wall.milliseconds - (now.milliseconds + offset)
        let step = abs(difference) <= Self.trust ? difference : difference.signum() * (passed / 10)
        // The rest of an earlier step does not count as a new one.
        if abs(difference - lag) > Self.trust {
            steps.count += 1
            steps.lastAt = wall
            steps.lastMilliseconds = difference - lag
        }
        // It never goes back: what was due stays due.
        let taken = max(step, -passed)
        offset += taken
        lag = difference - taken
    }
}

extension Instant {
    fileprivate var milliseconds: Int64 { Int64(nanoseconds / 1_000_000) }
}
