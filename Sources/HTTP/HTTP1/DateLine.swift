internal import SwitchyardReactor
internal import SwitchyardText

/// The `Date` line (RFC 9110 section 6.6.1), made anew once a second. Belongs to one loop.
final class DateLine {
    private let loop: EventLoop
    private var line: [UInt8] = []
    private var validUntil = Instant(nanoseconds: 0)

    init(_ loop: EventLoop) {
        self.loop = loop
    }

    /// `Date: Sat, 21 Nov 2026 03:00:00 GMT` and its line break.
    func current() -> [UInt8] {
        if loop.now >= validUntil {
            let milliseconds = WallClock.milliseconds()
            line = Array("Date: \(HTTPDate.format(milliseconds / 1000))\r\n".utf8)
            validUntil = loop.now + .milliseconds(1000 - milliseconds % 1000)
        }
        return line
    }
}
