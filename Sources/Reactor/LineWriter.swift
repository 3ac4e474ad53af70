internal import Glibc
internal import SwitchyardCLinux
internal import SwitchyardFiles
internal import SwitchyardText
internal import Synchronization

/// Writes lines to a descriptor that may block, on a thread of its own, so callers never wait for the reader. Safe from
/// any thread.
///
/// A line that comes after a pause is written at once. The lines that follow wait some milliseconds for one another, so
/// a busy program does not pay for a change of threads with each line.
///
/// When the reader has stopped or the disk is full, lines are counted instead. Once writing goes on, one line says how
/// many were lost.
public final class LineWriter: Sendable {
    private let queue: LineQueue

    /// - Parameters:
    ///   - descriptor: stays open, and belongs to the caller.
    ///   - capacity: how many bytes may wait.
    ///   - tellLost: makes the line that says how many lines were lost.
    public convenience init(
        descriptor: Int32, capacity: Int = 64 << 10, tellLost: @escaping @Sendable (Int) -> [UInt8]
    ) throws(SystemError) {
        let put: @Sendable (ArraySlice<UInt8>) -> Bool = { Self.put($0, into: descriptor) }
        try self.init(LineQueue(capacity: capacity, chunk: Self.chunk, put: put, tellLost: tellLost))
    }

    /// Hands each line over by itself.
    /// - Parameters:
    ///   - put: takes one line, with its line break, on the thread that writes; it may wait. False when
    ///     it was not taken.
    ///   - capacity: how many bytes may wait.
    ///   - tellLost: makes the line that says how many lines were lost.
    public convenience init(
        one put: @escaping @Sendable (ArraySlice<UInt8>) -> Bool, capacity: Int = 64 << 10,
        tellLost: @escaping @Sendable (Int) -> [UInt8]
    ) throws(SystemError) {
        try self.init(LineQueue(capacity: capacity, chunk: 1, put: put, tellLost: tellLost))
    }

    private init(_ queue: LineQueue) throws(SystemError) {
        self.queue = queue
        try DetachedThread.start { queue.run() }
    }

    deinit { queue.close() }

    /// A pipe takes this many bytes at once or not at all, so whole lines up to here never mix with another program's.
    private static let chunk = 4096

    /// - Returns: whether all of it was written.
    private static func put(_ bytes: ArraySlice<UInt8>, into descriptor: Int32) -> Bool {
        do throws(FileError) {
            try Descriptor.write(bytes, to: descriptor)
            return true
        } catch {
            return false
        }
    }

    /// Queues a line to be written soon, or counts it as lost. Never waits.
    /// - Parameter line: with its line break.
    public func write(_ line: [UInt8]) {
        queue.add(line)
    }

    /// The number of lost lines so far, including those that a line has reported.
    public var linesLost: Int { queue.linesLost }

    /// Writes the lines that still wait, for at most `patience`, and takes no more lines. Blocks the calling thread.
    /// - Returns: whether all lines were written.
    @discardableResult
    public func finish(within patience: Duration) -> Bool {
        queue.close()
        return queue.waitForEnd(patience)
    }
}

/// The state that the threads share: callers with lines, and the thread that writes them.
private final class LineQueue: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        /// Lost lines that are not reported yet.
        var lost = 0
        /// The place among `bytes` of the first lost line.
        var lostAt = 0
        var lostAltogether = 0
        /// Writing failed the last time, so that there is no use in trying until there is something new.
        var isStuck = false
        var rest = Rest.none
        var isClosed = false

        mutating func lose(_ count: Int, at offset: Int) {
            lostAt = lost == 0 ? offset : min(lostAt, offset)
            lost += count
        }
    }

    /// The reason why the writing thread waits.
    private enum Rest {
        case none
        /// For more lines to come, but not for long.
        case pause
        /// For the next line, however long it takes.
        case sleep
    }

    private let state = Mutex(State())
    private let put: @Sendable (ArraySlice<UInt8>) -> Bool
    /// How many bytes of whole lines are put at once, if there are so many.
    private let chunk: Int
    private let capacity: Int
    private let tellLost: @Sendable (Int) -> [UInt8]
    /// Event descriptors: there are lines to write; all lines are written and no more will come.
    private let wakeUp: Int32
    private let end: Int32

    /// How long lines wait for one another, in milliseconds; less once so many bytes wait.
    private static let pause: Int32 = 10
    private let fullPause: Int

    init(
        capacity: Int, chunk: Int, put: @escaping @Sendable (ArraySlice<UInt8>) -> Bool,
        tellLost: @escaping @Sendable (Int) -> [UInt8]
    ) throws(SystemError) {
        self.put = put
        self.chunk = chunk
        self.capacity = capacity
        fullPause = capacity / 4
        self.tellLost = tellLost
        wakeUp = try check("eventfd") { eventfd(0, Int32(EFD_CLOEXEC)) }
        end = try check("eventfd") { eventfd(0, Int32(EFD_CLOEXEC)) }
    }

    deinit {
        Glibc.close(wakeUp)
        Glibc.close(end)
    }

    func add(_ line: [UInt8]) {
        let mustWake = state.withLock { state in
            guard !state.isClosed, state.bytes.count + line.count <= capacity else {
                state.lose(1, at: state.bytes.count)
                state.lostAltogether += 1
                return false
            }
            state.bytes += line
            switch state.rest {
            case .none: return false
            case .pause where state.bytes.count < fullPause: return false
            case .pause, .sleep:
                state.rest = .none
                return true
            }
        }
        if mustWake { eventfd_write(wakeUp, 1) }
    }

    var linesLost: Int { state.withLock(\.lostAltogether) }

    func close() {
        state.withLock { $0.isClosed = true }
        eventfd_write(wakeUp, 1)
    }

    func waitForEnd(_ patience: Duration) -> Bool {
        var event = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&event, 1, Int32(clamping: patience.wholeMilliseconds)) == 1
    }

    // MARK: The writing thread

    private enum Step {
        case write([UInt8], lost: Int, at: Int)
        case pause
        case sleep
        case end
    }

    func run() {
        var hasWritten = false
        while true {
            switch nextStep(hasWritten) {
            case .write(let lines, let lost, let offset):
                write(lines, lost: lost, at: offset)
                hasWritten = true
            case .pause:
                hasWritten = false
                var event = pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)
                if unsafe poll(&event, 1, Self.pause) == 1 { takeWakeUp() }
            case .sleep: takeWakeUp()
            case .end:
                eventfd_write(end, 1)
                return
            }
        }
    }

    private func takeWakeUp() {
        var count: UInt64 = 0
        _ = unsafe eventfd_read(wakeUp, &count)
    }

    private func nextStep(_ hasWritten: Bool) -> Step {
        state.withLock { state in
            // The line about lost lines comes first, before lines that are newer.
            if hasWritten, !state.isClosed, state.lost == 0 || state.isStuck {
                state.rest = .pause
                return .pause
            }
            if state.bytes.isEmpty, state.lost == 0 || state.isStuck {
                state.rest = state.isClosed ? .none : .sleep
                return state.isClosed ? .end : .sleep
            }
            state.rest = .none
            defer {
                state.bytes = []
                state.lost = 0
                state.lostAt = 0
            }
            return .write(state.bytes, lost: state.lost, at: state.lostAt)
        }
    }

    /// - Parameter offset: the place of the lost lines; the report about them comes there.
    private func write(_ lines: [UInt8], lost: Int, at offset: Int) {
        var failed = write(lines[..<offset])
        // If that line could not be written, the next round counts on.
        let isTold = lost == 0 || (failed == 0 && put(tellLost(lost)[...]))
        failed += write(lines[offset...])
        state.withLock { state in
            let untold = failed + (isTold ? 0 : lost)
            if untold > 0 { state.lose(untold, at: 0) }
            state.lostAltogether += failed
            state.isStuck = untold > 0
        }
    }

    /// - Returns: how many lines could not be written.
    private func write(_ lines: ArraySlice<UInt8>) -> Int {
        var failed = 0
        var rest = lines
        while !rest.isEmpty {
            let chunk = firstLines(of: rest)
            rest = rest.dropFirst(chunk.count)
            if !put(chunk) { failed += chunk.count { $0 == UInt8(ascii: "\n") } }
        }
        return failed
    }

    /// As many whole lines as fit into a chunk, but at least one.
    private func firstLines(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard bytes.count > chunk else { return bytes }
        let window = bytes.prefix(chunk)
        let lineBreak = window.lastIndex(of: UInt8(ascii: "\n")) ?? bytes.firstIndex(of: UInt8(ascii: "\n"))
        return lineBreak.map { bytes[...$0] } ?? bytes
    }
}
