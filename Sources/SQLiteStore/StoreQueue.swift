internal import SwitchyardPendingRequests
internal import SwitchyardReactor

/// One thing to do in the next transaction.
struct StoreJob: Sendable {
    /// Whether a caller still waits for it.
    let isWanted: @Sendable () -> Bool
    /// Stages it, and gives what tells the caller once that is committed.
    let stage: @Sendable (Staging) -> @Sendable () -> Void
    /// Tells the caller that the job failed.
    let fail: @Sendable (StoreError) -> Void
}

/// The jobs that wait for the writer, and the time at which the writer takes them. A value without I/O.
struct StoreQueue {
    private enum Turn {
        case none
        /// Once one of these loops has gone some rounds: what they ask for until then is one transaction.
        case gathering([EventLoop])
        case called
    }

    /// The next step of the caller that adds a job.
    enum Addition {
        /// The job was not added.
        case refused
        /// The writer comes anyway.
        case waiting
        /// To see to it that the writer is called, after ``rounds`` of the loop.
        case gathering
        /// To call the writer.
        case called
    }

    /// The rounds of its loop during which other jobs may join a job. A transaction takes the disk and the processor
    /// far longer than these rounds take a busy loop; an idle loop is through with them in microseconds.
    static let rounds = 4

    /// The most jobs that wait for a disk that stands still. Further callers get the failure at once.
    private static let maximum = 20_000

    private var jobs: [StoreJob] = []
    private var turn = Turn.none

    /// - Parameter loop: the loop that counts rounds; nil for a thread without one.
    mutating func add(_ job: StoreJob, from loop: EventLoop?) -> Addition {
        guard jobs.count < Self.maximum else { return .refused }
        jobs.append(job)
        switch (turn, loop) {
        case (.none, let loop?):
            turn = .gathering([loop])
            return .gathering
        case (.gathering(let others), let loop?):
            // Each loop counts its own rounds, so a slow loop does not hold up the others.
            guard !others.contains(where: { $0 === loop }) else { return .waiting }
            turn = .gathering(others + [loop])
            return .gathering
        case (.none, nil), (.gathering, nil): return .called
        case (.called, _): return .waiting
        }
    }

    /// - Returns: whether to call the writer; false for an empty queue, and when it comes already.
    mutating func call() -> Bool {
        if case .called = turn { return false }
        if !jobs.isEmpty { turn = .called }
        return !jobs.isEmpty
    }

    /// Gives the writer all jobs. The writer comes again until the queue is empty; meanwhile it is not called.
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
