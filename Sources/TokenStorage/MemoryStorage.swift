internal import Synchronization

/// A document in this process's memory, for tests and for apps that do not want it kept.
public final class MemoryStorage: TokenStorage {
    private let document = Mutex<[UInt8]?>(nil)

    public init() {}

    public var summary: String { "memory" }

    public func read() throws(TokenStorageError) -> [UInt8]? {
        document.withLock(\.self)
    }

    public func update<Value>(_ change: (inout [UInt8]?) -> Value) throws(TokenStorageError) -> Value {
        // A variable carries the result out, because a result of `withLock` must be sendable.
        var value: Value?
        let refused: [UInt8]? = document.withLock { kept in
            var document = kept
            value = change(&document)
            if let document, document.count > TokenStorageLimit.document { return document }
            kept = document
            return nil
        }
        if let refused { try TokenStorageLimit.check(refused, at: summary) }
        guard let value else { fatalError("withLock calls its body") }
        return value
    }

    /// Forgets the document, which could not be inspected here anyway.
    public func setAside() throws(TokenStorageError) {
        document.withLock { $0 = nil }
    }
}
