internal import SwitchyardPendingRequests

/// A store whose failures are told, each once and where it happens: who asked it only has to say what follows for them.
struct ReportingStore: RequestStore {
    let store: any RequestStore
    let report: @Sendable (StoreFailure) -> Void

    func insert(
        _ records: [RequestRecord], quota: RequestQuota
    ) async throws(StoreFailure) -> [Result<Void, InsertionRefusal>] {
        do throws(StoreFailure) {
            return try await store.insert(records, quota: quota)
        } catch {
            throw reported(error)
        }
    }

    func find(_ keys: [RequestKey]) async throws(StoreFailure) -> [RequestRecord?] {
        do throws(StoreFailure) {
            return try await store.find(keys)
        } catch {
            throw reported(error)
        }
    }

    func apply(
        _ changes: [RequestChange], at now: Timestamp
    ) async throws(StoreFailure) -> [Result<RequestRecord, RequestTransition.Refusal>] {
        do throws(StoreFailure) {
            return try await store.apply(changes, at: now)
        } catch {
            throw reported(error)
        }
    }

    func age(at now: Timestamp) async throws(StoreFailure) -> [RequestRecord] {
        do throws(StoreFailure) {
            return try await store.age(at: now)
        } catch {
            throw reported(error)
        }
    }

    func pendingCount() async throws(StoreFailure) -> Int {
        do throws(StoreFailure) {
            return try await store.pendingCount()
        } catch {
            throw reported(error)
        }
    }

    private func reported(_ failure: StoreFailure) -> StoreFailure {
        report(failure)
        return failure
    }
}
