internal import SwitchyardCLinux
internal import Synchronization

/// The loops of a process, one thread each.
public final class EventLoopGroup: Sendable {
    public let loops: [EventLoop]

    /// - Parameter count: at least 1; by default one for each processor that this process may use.
    public init(count: Int = EventLoopGroup.processors) throws(SystemError) {
        var loops: [EventLoop] = []
        for index in 0..<max(1, count) { loops.append(try EventLoop(index: index)) }
        self.loops = loops
    }

    /// How many processors this process may run on (its affinity, not the machine's size).
    public static var processors: Int { Int(sy_processor_count()) }

    /// Starts every loop on a thread of its own and returns at once.
    /// - Throws: ``SystemError`` if the process can have no more threads; the loops are stopped then.
    public func start() throws(SystemError) {
        do throws(SystemError) {
            for loop in loops { try DetachedThread.start { loop.run() } }
        } catch {
            stop()
            throw error
        }
    }

    /// Asks every loop to end after its present work, and does not wait for it. Safe from any thread.
    public func stop() {
        for loop in loops { loop.stop() }
    }
}

extension Array where Element == EventLoop {
    /// Runs `body` on each loop's own thread, where its state may be read. Only from a task of a loop, of any group.
    /// - Returns: the answers, in no order.
    public func collect<Answer: Sendable>(_ body: @escaping @Sendable (EventLoop) -> Answer) async -> [Answer] {
        let answers = Answers<Answer>()
        // All are asked before the first is waited for.
        let tasks = map { loop in
            loop.start { answers.all.withLock { $0.append(body(loop)) } }
        }
        for task in tasks { await task.value }
        return answers.all.withLock(\.self)
    }
}

private final class Answers<Answer: Sendable>: Sendable {
    let all = Mutex<[Answer]>([])
}
