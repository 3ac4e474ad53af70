internal import Glibc
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
        var thread = pthread_t()
        let argument = unsafe Unmanaged.passRetained(self).toOpaque()
        if unsafe pthread_create(&thread, nil, readLines, argument) == 0 {
            pthread_detach(thread)
        } else {
            unsafe Unmanaged<LineReader>.fromOpaque(argument).release()
            end()
        }
    }

    /// The next line; nil when there will be none. Only from a task of an event loop, one at a time.
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

    fileprivate func add(_ line: String) {
        state.withLock { $0.lines.append(line) }
        signal.raise()
    }

    fileprivate func end() {
        state.withLock { $0.isAtEnd = true }
        signal.raise()
    }
}

/// The body of the reader's thread.
private func readLines(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument = unsafe argument else { return nil }
    let reader = unsafe Unmanaged<LineReader>.fromOpaque(argument).takeRetainedValue()
    while let line = readLine() { reader.add(line) }
    reader.end()
    return nil
}
