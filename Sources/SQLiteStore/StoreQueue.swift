internal import SwitchyardPendingRequests
internal import SwitchyardReactor

/// One thing to do in the next transaction.
struct StoreJob: Sendable {
    /// Whether a caller still waits for it.
    let isWanted: @Sendable () -> Bool
    /// Stages it. The result tells the caller of the end, and is called once the transaction is committed.
    let stage: @Sendable (Staging) -> @Sendable () -> Void
    /// Tells the caller that the job failed.
    let fail: @Sendable (StoreError) -> Void
}

/// The jobs that wait for the writer, and the time at which the writer takes them. A value without I/O.
struct StoreQueue {
    private enum State {
        case idle
        /// The writer is called once one of these loops has gone ``rounds`` rounds. The jobs until then are one
        /// transaction.
        case gathering([EventLoop])
        case called
    }

    /// The next step of the caller that adds a job.
    enum Addition {
        /// The job was not added.
        case refused
        /// None: the writer will take the job.
        case waiting
        /// To have the writer called after ``rounds`` rounds of the loop.
        case gathering
        /// To call the writer.
        case called
    }

    /// The rounds of a loop for which a job waits for others. A transaction takes far longer than these rounds of a busy
    /// loop. An idle loop goes them in microseconds.
    static let rounds = 4

    /// The most jobs that wait for a disk that stands still. Further callers get the failure at once.
    private static let maximum = 20_000

    private var jobs: [StoreJob] = []
    private var state = State.idle

    /// - Parameter loop: the loop that counts rounds; nil for a thread without one.
    mutating func add(_ job: StoreJob, from loop: EventLoop?) -> Addition {
        guard jobs.count < Self.maximum else { return .refused }
        jobs.append(job)
        switch (state, loop) {
        case (.idle, let loop?):
            state = .gathering([loop])
            return .gathering
        case (.gathering(let others), let loop?):
            // Each loop counts its own rounds, so a slow loop does not hold up the others.
            guard !others.contains(where: { $0 === loop }) else { return .waiting }
            state = .gathering(others + [loop])
            return .gathering
        case (.idle, nil), (.gathering, nil): return .called
        case (.called, _): return .waiting
        }
    }

    /// - Returns: whether the caller must call the writer; false for an empty queue, and if it was called already.
    mutating func call() -> Bool {
        if case .called = state { return false }
        if !jobs.isEmpty { state = .called }
        return !jobs.isEmpty
    }

    /// Takes all jobs, for the writer. It takes jobs until the queue is empty; meanwhile it is not called.
    mutating func take() -> [StoreJob] {
        defer {
            state = jobs.isEmpty ? .idle : .called
            jobs = []
        }
        return jobs
    }
}

extension EventLoop {
    /// Calls `body` on the loop's thread after so many rounds. In each round a loop runs everything that is ready.
    func callLater(after rounds: Int, _ body: @escaping @Sendable () -> Void) {
        execute { [self] in
            if rounds > 1 { callLater(after: rounds - 1, body) } else { body() }
        }
    }
}
