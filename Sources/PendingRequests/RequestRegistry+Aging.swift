/// The effects of time, and of a store that was out.
extension RequestRegistry {
    /// Lets time pass; to be called about once a second.
    /// - Returns: callbacks on their way to apps' servers that no gateway tries. The caller claims them
    ///   (``claimDelivery(_:)``); otherwise they are shown again, here or elsewhere.
    @discardableResult
    public func age() async throws(StoreError) -> [RequestRecord] {
        let failures = health.failures
        let left = try await ask(.age) { () async throws(StoreError) -> [RequestRecord] in
            let aging = await store.age(at: clock())
            // Reports what expired, even if the store failed halfway.
            for record in aging.finished {
                report(.ended(record))
                changes.notify(ended: record)
            }
            for record in aging.doubtful { expectLate(record) }
            if let failure = aging.failure { throw failure }
            return aging.left
        }
        await forgetDoubtfulEntries()
        await settleLateSteps()
        guard health.succeeded(since: failures) else { return left }
        // The store may have taken a step after its caller gave up, without a report.
        changes.notifyAll()
        report(.storeBack)
        return left
    }

    /// The requests of an earlier process that still wait for their callback (``RequestStore/inherited()``).
    public func inherited() async throws(StoreError) -> [RequestRecord] {
        try await ask(.find) { () async throws(StoreError) in try await store.inherited() }
    }

    /// Notes an end by time that the store did not confirm. It is reported once a look at the record shows it.
    /// - Parameter record: the record as time would have left it.
    func expectLate(_ record: RequestRecord) {
        guard let outcome = record.outcome else { return }
        lateSteps.add(.end(outcome), of: record.id) { [report] in report(.ended($0)) }
    }

    /// Reports or withdraws the steps of a request that the store has taken late. Call it while the store works, before
    /// later steps are reported.
    func settleLateSteps(of id: RequestID) async throws(StoreError) {
        guard lateSteps.contains(id) else { return }
        let record = try await find(.id(id))
        if let token = lateSteps.take(id, in: record) {
            _ = try await applyQuietly(.withdraw(token), to: id)
            lateSteps.forget(id)
        }
    }

    /// Reports or withdraws the late steps of all requests, until the store fails.
    public func settleLateSteps() async {
        for id in lateSteps.late {
            guard (try? await settleLateSteps(of: id)) != nil else { return }
        }
    }
}
