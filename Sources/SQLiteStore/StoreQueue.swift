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
        /// At the end of this loop's present round: what the loop asks for until then is one transaction. Each takes
        /// the disk, and the machine, far longer than what is left of a round.
        case afterRound(of: EventLoop)
        case called
    }

    /// What whoever adds a job has to do.
    enum Addition {
        /// Nothing was added.
        case refused
        /// The writer comes anyway.
        case waiting
        /// To see to it that the writer is called, now or after this round of the loop.
        case called(isNow: Bool)
    }

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
            turn = .afterRound(of: loop)
            return .called(isNow: false)
        case (.afterRound(let other), let loop?) where other === loop: return .waiting
        case (.none, nil), (.afterRound, _): return .called(isNow: true)
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
