internal import Glibc
internal import SwitchyardBridge
internal import SwitchyardReactor
internal import Synchronization

/// What a session shows goes through here to where it belongs, byte for byte, and is looked at on its way. Notes of ours stand
/// in between only where they cut nothing in two. Safe from any thread.
final class SessionOutput: Sendable {
    private struct State {
        var watcher: TerminalWatcher
        var notes: [String] = []
    }

    private let state: Mutex<State>
    private let descriptor: Int32
    private let isTerminal: Bool
    private let found: @Sendable (String) -> Void

    /// - Parameters:
    ///   - isTerminal: whether it shows a terminal that is in raw mode now.
    ///   - found: is called with each address, on the thread that brings the bytes.
    init(_ descriptor: Int32, isTerminal: Bool, columns: Int, _ found: @escaping @Sendable (String) -> Void) {
        self.descriptor = descriptor
        self.isTerminal = isTerminal
        self.found = found
        state = Mutex(State(watcher: TerminalWatcher(columns: columns, isTerminal: isTerminal)))
    }

    /// - Returns: false when nobody takes it any more.
    func take(_ piece: ArraySlice<UInt8>) -> Bool {
        let (addresses, isTaken) = state.withLock { state in
            let isTaken = BlockingWriter.write(piece, to: descriptor)
            let addresses = state.watcher.take(piece)
            writeNotes(&state)
            return (addresses, isTaken)
        }
        for address in addresses { found(address) }
        return isTaken
    }

    /// Nothing has come for a while.
    func rest() {
        for address in state.withLock({ $0.watcher.rest() }) { found(address) }
    }

    func resize(columns: Int) { state.withLock { $0.watcher.resize(columns: columns) } }

    /// Shows a line of ours, now or where the session leaves room for one.
    /// - Returns: false when it waits for a program that has the whole screen, which may have it for hours.
    func note(_ text: String) -> Bool {
        state.withLock { state in
            // A program that never leaves room shall not make us keep everything.
            if state.notes.count < 32 { state.notes.append(text) }
            writeNotes(&state)
            return state.notes.isEmpty || !state.watcher.isScreenTaken
        }
    }

    private func writeNotes(_ state: inout State) {
        guard !isTerminal || state.watcher.isAtRest else { return }
        for note in state.notes {
            let text = isTerminal ? "\r\n\(note)\r\n" : "\(note)\n"
            _ = BlockingWriter.write(Array(text.utf8)[...], to: isTerminal ? descriptor : STDERR_FILENO)
        }
        state.notes = []
    }
}
