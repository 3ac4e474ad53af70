internal import SwitchyardCrypto

/// How a step is taken, reported, and seen by waiting tasks.
extension RequestRegistry {
    /// Has the store take a step, reports it, and then wakes the waiting tasks, so that their reports come later.
    ///
    /// The step is reported once, also if the store takes it late. If another caller sees the step before the store has
    /// answered here, that caller's reports come later.
    /// - Parameter report: reports the step. It is called after the store has taken the step, and before waiting tasks
    ///   are woken. If the store takes the step without confirming it, it is called when the registry finds out.
    func apply(
        _ transition: RequestTransition, to id: RequestID, report: @escaping Report
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal> {
        guard let effect = LateSteps.Effect(of: transition) else {
            return try await apply(transition, to: id, at: clock(), reportAtOnce: report)
        }
        let noting = lateSteps.ask(effect, of: id, report)
        do throws(StoreError) {
            let result = try await apply(transition, to: id, at: clock()) { record in
                if noting == .noRoom { report(record) } else { lateSteps.answered(effect, of: id, with: record) }
            }
            guard case .failure = result else { return result }
            if noting == .again {
                lateSteps.failed(effect, of: id)
                try await settleLateSteps(of: id)
            } else {
                lateSteps.answered(effect, of: id, with: nil)
            }
            return result
        } catch {
            lateSteps.failed(effect, of: id)
            throw error
        }
    }

    /// Has the store take a step that is reported only if the store confirms it, and wakes the waiting tasks.
    func apply(
        _ transition: RequestTransition, to id: RequestID, at now: Timestamp,
        reportAtOnce: (RequestRecord) -> Void = { _ in }
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal> {
        let result = try await applyQuietly(transition, to: id, at: now)
        if case .success(let record) = result {
            reportAtOnce(record)
            if record.isFinished {
                changes.notify(ended: record)
            } else if transition.isNews {
                changes.notify(id)
            }
        }
        return result
    }

    /// Has the store take a step without waking waiting tasks.
    func applyQuietly(
        _ transition: RequestTransition, to id: RequestID, at now: Timestamp? = nil
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal> {
        try await ask(.apply) { () async throws(StoreError) in
            try await store.apply(transition, to: .id(id), within: policy.quota, at: now ?? clock())
        }
    }
}
