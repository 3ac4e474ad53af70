internal import SwitchyardGateway
internal import SwitchyardOAuth
internal import SwitchyardReactor
internal import SwitchyardTokenStorage
internal import Synchronization

/// The document of resources in the user's storage or, while that fails, in this process's memory. Safe from any thread.
///
/// One agent runs for a user, so this process alone changes the document.
final class ResourceVault: Sendable {
    private struct State {
        /// The changes that the storage did not take; nil while it has everything.
        var unsaved: Unsaved?
        /// The sign-ins that wait until the storage has taken it.
        var listeners: [@Sendable (KeepingNews) -> Void] = []
        var loop: EventLoop?
    }

    private struct Unsaved {
        var document: ResourceDocument
        var problem: KeepingProblem
        /// Whether the storage may have more, which could not be read.
        var isPart: Bool
    }

    private let storage: OpenedStorage
    private let state = Mutex(State())
    private let queue = SerialQueue()
    private let tries: MoveTries

    init(_ place: StoragePlace, tellingPerson tellPerson: @escaping @Sendable (KeepingProblem) async -> Void) {
        storage = OpenedStorage(place, name: "switchyard resources")
        tries = MoveTries(tellingPerson: tellPerson)
    }

    /// The reason for changes in memory alone; nil if all are stored.
    var problem: KeepingProblem? { state.withLock(\.unsaved?.problem) }

    /// The document as it is now.
    func document() async throws(TokenStorageError) -> ResourceDocument {
        if let unsaved = state.withLock(\.unsaved?.document) { return unsaved }
        return try await blocking { storage throws(TokenStorageError) in try Self.read(storage) }
    }

    /// Changes the document. If the storage does not take it, it stays in memory until the storage does.
    /// - Parameter tell: is called if the change is not stored, and again once it is.
    /// - Throws: if the storage cannot be read, so that it takes no change.
    func update<Value: Sendable>(
        telling tell: (@Sendable (KeepingNews) -> Void)? = nil,
        _ change: @escaping @Sendable (inout ResourceDocument) -> Value
    ) async throws(TokenStorageError) -> Value {
        try await queue.run { () async throws(TokenStorageError) in try await updateInTurn(tell, change) }
    }

    /// Changes the document, in memory alone if the storage does not open.
    func insist(_ change: @escaping @Sendable (inout ResourceDocument) -> Void) async {
        let silence: @Sendable (KeepingNews) -> Void = { _ in }
        _ = try? await update(telling: silence, change)
    }

    private func updateInTurn<Value: Sendable>(
        _ tell: (@Sendable (KeepingNews) -> Void)?, _ change: @escaping @Sendable (inout ResourceDocument) -> Value
    ) async throws(TokenStorageError) -> Value {
        var document: ResourceDocument
        var isPart = state.withLock { $0.unsaved?.isPart ?? false }
        do throws(TokenStorageError) {
            document = try await self.document()
        } catch {
            // A sign-in is kept although the storage does not open: its tokens would be lost.
            guard tell != nil else { throw error }
            (document, isPart) = (ResourceDocument(), true)
        }
        let value = change(&document)
        let changed = document
        do throws(TokenStorageError) {
            try await write(changed, isPart: isPart)
            settle()
        } catch {
            hold(Unsaved(document: changed, problem: KeepingProblem(error), isPart: isPart), tell)
        }
        return value
    }

    /// Tries once to store the changes that only this process has.
    func move() async {
        await queue.run {
            guard let unsaved = state.withLock(\.unsaved) else { return }
            do throws(TokenStorageError) {
                try await write(unsaved.document, isPart: unsaved.isPart)
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

    /// - Parameter isPart: whether the document is added to the stored one instead of replacing it.
    private func write(_ document: ResourceDocument, isPart: Bool) async throws(TokenStorageError) {
        try await blocking { storage throws(TokenStorageError) in
            var whole = document
            if isPart {
                whole = try Self.read(storage)
                whole.add(document)
            }
            let bytes = whole.serialized
            try storage.update { kept in if kept != bytes { kept = bytes } }
        }
    }

    private static func read(_ storage: any TokenStorage) throws(TokenStorageError) -> ResourceDocument {
        do throws(TokenStorageError) {
            guard let bytes = try storage.read() else { return ResourceDocument() }
            if let document = ResourceDocument(bytes) { return document }
        } catch  where error.kind == .corrupt {
        }
        // Unreadable tokens are of no use. A person may look at them.
        try storage.setAside()
        return ResourceDocument()
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
