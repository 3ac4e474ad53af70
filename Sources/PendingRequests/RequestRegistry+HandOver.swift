public import SwitchyardCrypto
internal import Synchronization

/// Callbacks that are handed over without a request.
extension RequestRegistry {
    /// The store's knowledge of a callback that is being handed over.
    public enum HandedOver: Sendable {
        /// The callback is new. The caller hands it over, with this entry.
        case new(HandOverEntry)
        /// The callback came before. It is on its way, or an app has it.
        case came
        /// The callback came before. No handler took it, and it went to the last handler.
        case wentOn
    }

    /// The entry of a callback that is handed over, which happens once
    /// (``RequestRegistry/noteHandedOver(_:mayGoOn:lifetime:)``).
    public struct HandOverEntry: Sendable {
        /// The id of the callback. It cannot be guessed from the digest of another one, or of a request.
        let id: RequestID
        /// The digest that is used when the callback comes.
        let came: ShortDigest
        /// The digest that is used when the callback goes on to the last handler; nil without a last handler.
        let goneOn: ShortDigest?
        public let until: Timestamp

        init(_ digest: SHA256Digest, mayGoOn: Bool, until: Timestamp) {
            id = RequestID(ofHandedOver: digest)
            came = ShortDigest(digest)
            goneOn = mayGoOn ? ShortDigest(SHA256Digest(of: digest.bytes + Array(" went on".utf8))) : nil
            self.until = until
        }
    }

    /// Notes a callback that is handed over without a request, for all gateways of the store.
    ///
    /// An entry has two digests: one for the arrival, and one for going on to the last handler. Only the gateway that
    /// used the first one looks at the second or changes it. So at most one of two gateways gets the callback.
    /// - Parameters:
    ///   - digest: the digest of the callback's whole content and of its redirect URI.
    ///   - mayGoOn: whether there is a last handler behind the others.
    ///   - lifetime: for how long the same callback is recognized.
    /// - Throws: ``StoreError``; then the callback was not handed over, and may come again. If the store has taken an
    ///   entry all the same, the gateway forgets it when the callback comes again here, or once the store works.
    public func noteHandedOver(
        _ digest: SHA256Digest, mayGoOn: Bool, lifetime: Duration
    ) async throws(StoreError) -> HandedOver {
        let entry = HandOverEntry(digest, mayGoOn: mayGoOn, until: clock() + lifetime)
        if let earlier = doubtfulEntries.withLock({ $0[entry.id] }) { try await forgetDoubtful(earlier) }
        do throws(StoreError) {
            guard try await use(entry.came, of: entry) == .first else { return .came }
            guard let goneOn = entry.goneOn else { return .new(entry) }
            let isNew = try await use(goneOn, of: entry) == .first
            try await undoUse(isNew ? goneOn : entry.came, of: entry)
            return isNew ? .new(entry) : .wentOn
        } catch {
            doubtfulEntries.withLock { entries in
                // Beyond the maximum, entries stay in the store until they end.
                if entries.count < Self.maximumDoubtful { entries[entry.id] = entry }
            }
            throw error
        }
    }

    private static let maximumDoubtful = 4096

    /// Forgets the entries of callbacks that failed while the store was out, so that they may come again. To be called
    /// while the store works.
    func forgetDoubtfulEntries() async {
        for entry in doubtfulEntries.withLock({ Array($0.values) }) {
            guard (try? await forgetDoubtful(entry)) != nil else { return }
        }
    }

    /// Entries of another attempt stay, because they have another end.
    private func forgetDoubtful(_ entry: HandOverEntry) async throws(StoreError) {
        try await forget(entry)
        doubtfulEntries.withLock { $0[entry.id] = nil }
    }

    /// Notes that no handler took the callback. From then on it goes to the last handler, whenever and wherever it
    /// comes again.
    public func noteGoneOn(_ entry: HandOverEntry) async throws(StoreError) {
        guard let goneOn = entry.goneOn else { return }
        _ = try await use(goneOn, of: entry)
        try await undoUse(entry.came, of: entry)
    }

    /// Forgets an entry: the callback was not taken, and may come again.
    public func forget(_ entry: HandOverEntry) async throws(StoreError) {
        if let goneOn = entry.goneOn { try await undoUse(goneOn, of: entry) }
        try await undoUse(entry.came, of: entry)
    }

    private func use(_ digest: ShortDigest, of entry: HandOverEntry) async throws(StoreError) -> OneTimeUse {
        let now = clock()
        return try await ask(.useOnce) { () async throws(StoreError) in
            try await store.use(digest, of: entry.id, until: entry.until, at: now)
        }
    }

    private func undoUse(_ digest: ShortDigest, of entry: HandOverEntry) async throws(StoreError) {
        try await ask(.useOnce) { () async throws(StoreError) in
            try await store.undoUse(digest, of: entry.id, until: entry.until)
        }
    }
}
