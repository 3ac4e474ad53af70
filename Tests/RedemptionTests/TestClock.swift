import SwitchyardReactor
import SwitchyardText
import Synchronization

@testable import SwitchyardRedemption

/// Clocks that stand still until a test moves them.
final class TestClock: Sendable {
    static let wallStart: Int64 = 1_900_000_000
    private let elapsed = Mutex(Duration.zero)

    func advance(_ duration: Duration) {
        elapsed.withLock { $0 += duration }
    }

    var time: TimeSource {
        TimeSource(
            now: { Instant(nanoseconds: 1_000_000_000_000) + self.elapsed.withLock { $0 } },
            wall: { WallTime(milliseconds: (Self.wallStart + self.elapsed.withLock { $0.components.seconds }) * 1000) })
    }
}
