internal import SwitchyardGateway
internal import SwitchyardOAuth
internal import SwitchyardReactor
internal import SwitchyardTokenStorage
internal import Synchronization

/// The document of resources in the user's storage or, while that fails, in this process's memory. Safe from any thread.
///
/// A user can have several agents: in a container with the same home, or without the folder of a session. Each change is one step
/// against all of them.
final class ResourceVault: Sendable {
    private struct State {
        /// The changes that the storage did not take; nil while it has everything.
        var unsaved: Unsaved?
        /// The sign-ins that wait until the storage has taken it.
        var listeners: [@Sendable (KeepingNews) -> Void] = []
        var loop: EventLoop?
    }

    private struct Unsaved {
        /// The stored document before the first change, or the little that is known of one that could not be read.
        let base: ResourceDocument
        var document: ResourceDocument
        var problem: KeepingProblem
    }

    private let storage: OpenedStorage
    private let state = Mutex(State())
    private let queue = SerialQueue()
    private let tries: MoveTries

    init(_ storage: OpenedStorage, tellingPerson tellPerson: @escaping @Sendable (KeepingProblem) async -> Void) {
        self.storage = storage
        tries = MoveTries(tellingPerson: tellPerson)
    }

    /// The reason for changes in memory alone; nil if all are stored.
    var problem: KeepingProblem? { state.withLock(\.unsaved?.problem) }

    /// The document as it is now.
    func document() async throws(TokenStorageError) -> ResourceDocument {
        if let unsaved = state.withLock(\.unsaved?.document) { return unsaved }
        return try await blocking { storage throws(TokenStorageError) in
            try Self.settingAside(storage) { () throws(TokenStorageError) in
                try ResourceDocument(stored: try storage.read())
            }
        }
    }

    /// Changes the document. If the storage does not take it, it stays in memory until the storage does.
    /// - Parameters:
    ///   - tell: is called if the change is not stored, and again once it is.
    ///   - seen: a stored sign-in with a change that must not be lost, even if the storage can no longer be read.
    /// - Throws: if the storage cannot be read, so that it takes no change. Never with `tell` or `seen`.
    func update<Value: Sendable>(
        telling tell: (@Sendable (KeepingNews) -> Void)? = nil, assuming seen: KeptGrant? = nil,
        _ change: @escaping @Sendable (inout ResourceDocument) -> Value
    ) async throws(TokenStorageError) -> Value {
        try await queue.run { () async throws(TokenStorageError) in try await updateInTurn(tell, seen, change) }
    }

    /// Changes the document, in memory alone if the storage does not open.
    func insist(_ change: @escaping @Sendable (inout ResourceDocument) -> Void) async {
        let silence: @Sendable (KeepingNews) -> Void = { _ in }
        _ = try? await update(telling: silence, change)
    }

    private func updateInTurn<Value: Sendable>(
        _ tell: (@Sendable (KeepingNews) -> Void)?, _ seen: KeptGrant?,
        _ change: @escaping @Sendable (inout ResourceDocument) -> Value
    ) async throws(TokenStorageError) -> Value {
        if var unsaved = state.withLock(\.unsaved) {
            // The stored document comes first: another agent may have changed it, and it has the leases.
            do throws(TokenStorageError) {
                try await write(unsaved)
                settle()
            } catch {
                let value = change(&unsaved.document)
                unsaved.problem = KeepingProblem(error)
                hold(unsaved, tell)
                return value
            }
        }
        do throws(TokenStorageError) {
            return try await blocking { storage throws(TokenStorageError) in try Self.change(storage, change) }
        } catch let problem {
            var base = ResourceDocument(assuming: seen)
            do throws(TokenStorageError) {
                base = try await document()
            } catch {
                // New tokens are kept although the storage does not open: they would be lost.
                guard tell != nil || seen != nil else { throw error }
            }
            var unsaved = Unsaved(base: base, document: base, problem: KeepingProblem(problem))
            let value = change(&unsaved.document)
            hold(unsaved, tell)
            return value
        }
    }

    /// Tries once to store the changes that only this process has.
    func move() async {
        await queue.run {
            guard let unsaved = state.withLock(\.unsaved) else { return }
            do throws(TokenStorageError) {
                try await write(unsaved)
                settle()
            } catch {
                let problem = KeepingProblem(error)
                state.withLock { $0.unsaved?.problem = problem }
            }
        }
    }

    private func settle() {
        let listeners = state.withLock { state in
            state.unsaved = nil
            defer { state.listeners = [] }
            return state.listeners
        }
        for tell in listeners { tell(.kept) }
    }

    private func hold(_ unsaved: Unsaved, _ tell: (@Sendable (KeepingNews) -> Void)?) {
        let problem = unsaved.problem
        state.withLock { state in
            state.unsaved = unsaved
            if let tell { state.listeners = Array((state.listeners + [tell]).suffix(64)) }
        }
        tell?(.notKept(problem))
        tries.begin(because: problem, while: { [self] in self.problem != nil }, move)
    }

    // MARK: The storage

    /// Repeats the changes on the stored document, which another agent may have changed too.
    private func write(_ unsaved: Unsaved) async throws(TokenStorageError) {
        try await blocking { storage throws(TokenStorageError) in
            try Self.change(storage) { $0.take(unsaved.document, changedSince: unsaved.base) }
        }
    }

    private static func change<Value>(
        _ storage: any TokenStorage, _ change: (inout ResourceDocument) -> Value
    ) throws(TokenStorageError) -> Value {
        try settingAside(storage) { () throws(TokenStorageError) in
            try storage.update { bytes -> Result<Value, TokenStorageError> in
                do throws(TokenStorageError) {
                    var document = try ResourceDocument(stored: bytes)
                    let value = change(&document)
                    if bytes != nil || !document.isEmpty { bytes = document.serialized }
                    return .success(value)
                } catch {
                    return .failure(error)
                }
            }.get()
        }
    }

    /// Unreadable tokens are of no use. A person may look at them.
    private static func settingAside<Value>(
        _ storage: any TokenStorage, _ work: () throws(TokenStorageError) -> Value
    ) throws(TokenStorageError) -> Value {
        do throws(TokenStorageError) {
            return try work()
        } catch  where error.kind == .corrupt {
            try storage.setAside()
            return try work()
        }
    }

    /// Runs `work`, which may block, away from the network's loop, one after the other.
    private func blocking<Value: Sendable>(
        _ work: @escaping @Sendable (any TokenStorage) throws(TokenStorageError) -> Value
    ) async throws(TokenStorageError) -> Value {
        guard let loop = storageLoop() else {
            throw TokenStorageError(.unavailable, "the process can have no more threads", remedy: "look at its limits")
        }
        return try await loop.perform { [storage] () async throws(TokenStorageError) in try work(try storage.get()) }
    }

    private func storageLoop() -> EventLoop? {
        state.withLock { state in
            if state.loop == nil, let group = try? EventLoopGroup(count: 1), (try? group.start()) != nil {
                state.loop = group.loops[0]
            }
            return state.loop
        }
    }
}
