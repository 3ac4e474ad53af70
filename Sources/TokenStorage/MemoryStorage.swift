internal import Synchronization

/// A document in this process's memory: for tests, and for apps that ask for nothing to be kept.
public final class MemoryStorage: TokenStorage {
    private struct State {
        var document: [UInt8]?
        var setAside: [[UInt8]] = []
    }

    private let state = Mutex(State())

    public init() {}

    public var summary: String { "memory" }

    /// What was set aside, oldest first.
    public var setAsideDocuments: [[UInt8]] { state.withLock { $0.setAside } }

    public func read() throws(TokenStorageError) -> [UInt8]? {
        state.withLock { $0.document }
    }

    public func update<Value>(_ change: (inout [UInt8]?) -> Value) throws(TokenStorageError) -> Value {
        // Handed out by a variable, because what `withLock` returns would have to be sendable.
        var value: Value?
        let refused: [UInt8]? = state.withLock { state in
            var document = state.document
            value = change(&document)
            if let document, document.count > TokenStorageLimit.document { return document }
            state.document = document
            return nil
        }
        if let refused { try TokenStorageLimit.check(refused, at: summary) }
        guard let value else { fatalError("withLock calls its body") }
        return value
    }

    public func setAside() throws(TokenStorageError) {
        state.withLock { state in
            guard let document = state.document else { return }
            state.setAside.append(document)
            state.document = nil
        }
    }
}
