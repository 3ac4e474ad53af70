internal import Glibc
internal import SwitchyardBridge
internal import SwitchyardFiles
internal import SwitchyardReactor
internal import Synchronization

/// Passes a session's output on, byte for byte, and shows it to the watcher. Notes of ours go between the bytes only
/// where they cut no sequence in two. Safe from any thread; only ``take(_:)`` and ``end()`` wait for the reader, on the
/// thread that brings the bytes.
final class SessionOutput: Sendable {
    private struct State {
        var watcher: TerminalWatcher
        /// Our notes that are still to be shown.
        var notes: [[UInt8]] = []
        /// A thread is on its way that shows them.
        var isNoting = false
        /// The number of threads that write, or wait for a writer.
        var writers = 0
        /// The time of the last bytes.
        var lastActivity = Instant.now()
    }

    /// Held for as long as a write takes, which may be hours: never on the loop.
    private let writeLock = Mutex(())
    /// Held for moments.
    private let state: Mutex<State>
    private let descriptor: Int32
    private let isTerminal: Bool
    private let found: @Sendable (String) -> Void
    /// The limit for a program that never leaves room for notes.
    private static let mostNotes = 32

    /// - Parameters:
    ///   - isTerminal: whether it shows a terminal that is in raw mode now.
    ///   - found: is called with each address, on the thread that brings the bytes.
    init(_ descriptor: Int32, isTerminal: Bool, columns: Int, _ found: @escaping @Sendable (String) -> Void) {
        self.descriptor = descriptor
        self.isTerminal = isTerminal
        self.found = found
        state = Mutex(State(watcher: TerminalWatcher(columns: columns, isTerminal: isTerminal)))
    }

    /// Whether a write is under way, which the reader may have stopped.
    var isWriting: Bool { state.withLock { $0.writers > 0 } }

    /// The time of the last bytes that were shown.
    var lastActivity: Instant { state.withLock(\.lastActivity) }

    /// - Returns: false when the output is no longer taken.
    func take(_ piece: ArraySlice<UInt8>) -> Bool {
        let (addresses, isTaken) = whileWriting {
            let isTaken = (try? Descriptor.write(piece, to: descriptor)) != nil
            let addresses = state.withLock { state in
                state.lastActivity = .now()
                return state.watcher.take(piece)
            }
            showNotes()
            return (addresses, isTaken)
        }
        for address in addresses { found(address) }
        return isTaken
    }

    /// Takes note of a pause.
    func rest() {
        for address in state.withLock({ $0.watcher.rest() }) { found(address) }
    }

    /// Ends the output; waiting notes are shown now.
    func end() {
        rest()
        whileWriting { showNotes(everything: true) }
    }

    func resize(columns: Int) { state.withLock { $0.watcher.resize(columns: columns) } }

    /// Shows a line of ours, soon or when the session leaves room for one.
    /// - Returns: false if it waits for a full-screen program, which may take hours.
    func note(_ line: String) -> Bool {
        insert(Array((isTerminal ? "\r\n\(line)\r\n" : "\(line)\n").utf8))
    }

    /// Shows bytes that are not the session's, as they are, soon or where the session leaves room for them.
    /// - Returns: false when they wait for a program that has the whole screen.
    @discardableResult
    func insert(_ bytes: [UInt8]) -> Bool {
        let (isThreadNeeded, isSoon) = state.withLock { state in
            if state.notes.count < Self.mostNotes { state.notes.append(bytes) }
            let isNeeded = !state.isNoting
            state.isNoting = true
            return (isNeeded, !state.watcher.isScreenTaken)
        }
        if isThreadNeeded {
            do throws(SystemError) {
                try DetachedThread.start { [self] in
                    whileWriting {
                        state.withLock { $0.isNoting = false }
                        showNotes()
                    }
                }
            } catch {
                // They are shown behind the next piece.
                state.withLock { $0.isNoting = false }
            }
        }
        return isSoon
    }

    private func whileWriting<Value>(_ body: () -> Value) -> Value {
        state.withLock { $0.writers += 1 }
        defer { state.withLock { $0.writers -= 1 } }
        return writeLock.withLock { _ in body() }
    }

    /// Only within ``whileWriting(_:)``.
    private func showNotes(everything: Bool = false) {
        let notes = state.withLock { state -> [[UInt8]] in
            guard everything || !isTerminal || state.watcher.isAtRest else { return [] }
            defer { state.notes = [] }
            return state.notes
        }
        for note in notes { try? Descriptor.write(note, to: isTerminal ? descriptor : STDERR_FILENO) }
    }
}
