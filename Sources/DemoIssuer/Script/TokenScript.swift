internal import Synchronization

/// What the next token requests are answered with, because tests want so. Safe from any thread.
final class TokenScript: Sendable {
    struct Entry: Sendable {
        /// nil for every client.
        var clientID: String?
        /// nil for every one.
        var grantType: RequestKind?
        /// How many requests it is for, from now on.
        var times = 1
        var answer = ScriptedAnswer()

        fileprivate func isFor(_ clientID: String, _ grantType: RequestKind) -> Bool {
            (self.clientID ?? clientID) == clientID && (self.grantType ?? grantType) == grantType
        }
    }

    private let entries = Mutex<[Entry]>([])
    private static let capacity = 1000

    /// In the order in which they were added; each request uses up one, of the first entry that is for it.
    func next(_ clientID: String, _ grantType: RequestKind) -> ScriptedAnswer? {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.isFor(clientID, grantType) }) else { return nil }
            let answer = entries[index].answer
            entries[index].times -= 1
            if entries[index].times == 0 { entries.remove(at: index) }
            return answer
        }
    }

    /// Whether there was room for it.
    func add(_ entry: Entry) -> Bool {
        entries.withLock { entries in
            guard entries.count < Self.capacity else { return false }
            entries.append(entry)
            return true
        }
    }

    /// - Parameter clientID: whose; nil for all entries, also those for every client.
    func forget(_ clientID: String?) {
        entries.withLock { entries in entries.removeAll { clientID == nil || $0.clientID == clientID } }
    }
}
