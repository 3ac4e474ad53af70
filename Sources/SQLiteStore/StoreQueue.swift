internal import SwitchyardPendingRequests
internal import SwitchyardReactor

/// One thing to do in the next transaction.
struct StoreJob: Sendable {
    /// Whether anybody still waits for it.
    let isWanted: @Sendable () -> Bool
    /// Stages it, and gives what tells the caller once that is committed.
    let stage: @Sendable (Staging) -> @Sendable () -> Void
    /// Tells the caller that nothing came of it.
    let fail: @Sendable (StoreFailure) -> Void
}

/// What waits for the writer, and when the writer comes to it. A value without I/O.
struct StoreQueue {
    private enum Turn {
        case none
        /// Once one of these loops has gone some rounds: what they ask for until then is one transaction.
        case gathering([EventLoop])
        case called
    }

    /// What whoever adds a job has to do.
    enum Addition {
        /// Nothing was added.
        case refused
        /// The writer comes anyway.
        case waiting
        /// To see to it that the writer is called, after ``rounds`` of the loop.
        case gathering
        /// To call the writer.
        case called
    }

    /// For how many rounds of its loop a job may be joined by others. A transaction takes the disk, and the processor, far
    /// longer than all of them take a loop that is busy; one that has nothing to do is through with them in microseconds.
    static let rounds = 4

    /// More than this many wait for a disk that stands still: whoever comes then is told at once.
    private static let maximum = 20_000

    private var jobs: [StoreJob] = []
    private var turn = Turn.none

    /// - Parameter loop: whose round it is; nil for a thread without one.
    mutating func add(_ job: StoreJob, from loop: EventLoop?) -> Addition {
        guard jobs.count < Self.maximum else { return .refused }
        jobs.append(job)
        switch (turn, loop) {
        case (.none, let loop?):
            turn = .gathering([loop])
            return .gathering
        case (.gathering(let others), let loop?):
            // Each by its own rounds: one that is held up holds up nobody else.
            guard !others.contains(where: { $0 === loop }) else { return .waiting }
            turn = .gathering(others + [loop])
            return .gathering
        case (.none, nil), (.gathering, nil): return .called
        case (.called, _): return .waiting
        }
    }

    /// - Returns: whether the writer is to be called; false where nothing waits, or it comes already.
    mutating func call() -> Bool {
        if case .called = turn { return false }
        if !jobs.isEmpty { turn = .called }
        return !jobs.isEmpty
    }

    /// The writer takes everything. It has to come again until nothing is left: meanwhile nobody calls it.
    mutating func take() -> [StoreJob] {
        defer {
            turn = jobs.isEmpty ? .none : .called
            jobs = []
        }
        return jobs
    }
}

extension EventLoop {
    /// Calls `body` on the loop's thread once it has gone so many rounds, in each of which it has done what was ready.
    func callLater(after rounds: Int, _ body: @escaping @Sendable () -> Void) {
        execute { [self] in
            if rounds > 1 { callLater(after: rounds - 1, body) } else { body() }
        }
    }
}
