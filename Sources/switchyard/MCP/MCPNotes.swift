internal import Glibc
internal import SwitchyardReactor
internal import Synchronization

/// The lines of `switchyard mcp` on standard error. A client that does not read them holds up nothing, and a server cannot fill
/// the client's log. Safe from any thread.
final class MCPNotes: Sendable {
    private struct Complaints {
        var next = Instant.now()
        var leftOut = 0
    }

    private let writer: LineWriter
    private let complaints = Mutex(Complaints())

    private static let pause = Duration.seconds(1)
    private static let longestComplaint = 1000
    private static let farewell = Duration.seconds(1)

    init() throws(SystemError) {
        writer = try LineWriter(descriptor: STDERR_FILENO) { Array("switchyard: \($0) lines are missing here\n".utf8) }
    }

    /// Says one line. Foreign text in it begins no other one.
    func say(_ text: String) {
        writer.write(Array("switchyard: \(text.printable)\n".utf8))
    }

    /// Says something about the server, at most once a second. The next line counts those that were left out.
    func complain(_ text: String) {
        let now = Instant.now()
        let leftOut: Int? = complaints.withLock { complaints in
            guard now >= complaints.next else {
                complaints.leftOut += 1
                return nil
            }
            defer { complaints = Complaints(next: now + Self.pause, leftOut: 0) }
            return complaints.leftOut
        }
        guard let leftOut else { return }
        let more = leftOut > 0 ? " (and \(leftOut) more since the last such line)" : ""
        say("\(text.prefix(Self.longestComplaint))\(more)")
    }

    /// Waits until everything is written, but not for a client that does not read. Blocks.
    func finish() { writer.finish(within: Self.farewell) }
}
