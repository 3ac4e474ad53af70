internal import SwitchyardReactor
internal import Synchronization

/// The lines of standard input, read on a thread of their own, so that an event loop can wait for them beside other
/// things. Safe from any thread.
final class LineReader: Sendable {
    private struct State {
        var lines: [String] = []
        var isAtEnd = false
    }

    private let state = Mutex(State())
    private let signal = Signal()

    /// Begins to read.
    init() {
        do throws(SystemError) {
            try DetachedThread.start { [self] in
                while let line = readLine() { add(line) }
                end()
            }
        } catch {
            end()
        }
    }

    /// The next line; nil at the end. Only from a task of an event loop, one at a time.
    func next() async -> String? {
        while true {
            let (line, isAtEnd) = state.withLock { state in
                (state.lines.isEmpty ? nil : state.lines.removeFirst(), state.isAtEnd)
            }
            if let line { return line }
            if isAtEnd { return nil }
            _ = await signal.wait()
        }
    }

    private func add(_ line: String) {
        state.withLock { $0.lines.append(line) }
        signal.raise()
    }

    private func end() {
        state.withLock { $0.isAtEnd = true }
        signal.raise()
    }
}
