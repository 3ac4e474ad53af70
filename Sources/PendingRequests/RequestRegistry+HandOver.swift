public import SwitchyardCrypto
internal import Synchronization

/// Callbacks that are handed over without a request.
extension RequestRegistry {
    /// The store's knowledge of a callback that is being handed over.
    public enum HandedOver: Sendable {
        /// The callback is new. The caller hands it over, with this mark.
        case new(HandedOverMark)
        /// The same one is on its way, or an app has it.
        case came
        /// The same one came, no handler took it, and it went to the last handler.
        case wentOn
    }

    /// The mark of a callback that is handed over, which happens once
    /// (``RequestRegistry/markHandedOver(_:mayGoOn:lifetime:)``).
    public struct HandedOverMark: Sendable {
        /// The id of the callback. It cannot be guessed from the digest of another one, or of a request.
        let id: RequestID
        let proof: ShortDigest
        /// The mark for a callback that went on to the last handler; nil without a last handler.
        let goneOn: ShortDigest?
        public let until: Timestamp

        init(_ digest: SHA256Digest, mayGoOn: Bool, until: Timestamp) {
            id = RequestID(ofHandedOver: digest)
            proof = ShortDigest(digest)
            goneOn = mayGoOn ? ShortDigest(SHA256Digest(of: digest.bytes + Array(" went on".utf8))) : nil
            self.until = until
        }
    }

    /// Marks a callback that is handed over without a request, for all gateways of the store.
    ///
    /// There are two marks: that it came, and that it went on. Only the gateway that made the first one looks at the
    /// second or changes it. So at most one of two gateways gets the callback.
    /// - Parameters:
    ///   - digest: the digest of the callback's whole content and of its redirect URI.
    ///   - mayGoOn: whether there is a last handler behind the others.
    ///   - lifetime: for how long the same callback is recognized.
    /// - Throws: ``StoreFailure``; then the callback was not handed over, and may come again. If the store has taken a
    ///   mark all the same, it is taken back: when the callback comes again here, and else once the store works.
    public func markHandedOver(
        _ digest: SHA256Digest, mayGoOn: Bool, lifetime: Duration
    ) async throws(StoreFailure) -> HandedOver {
        let mark = HandedOverMark(digest, mayGoOn: mayGoOn, until: clock() + lifetime)
        if let earlier = doubtfulMarks.withLock({ $0[mark.id] }) { try await takeBackDoubtful(earlier) }
        do throws(StoreFailure) {
            guard try await use(mark.proof, of: mark) == .first else { return .came }
            guard let goneOn = mark.goneOn else { return .new(mark) }
            let isNew = try await use(goneOn, of: mark) == .first
            try await takeBack(isNew ? goneOn : mark.proof, of: mark)
            return isNew ? .new(mark) : .wentOn
        } catch {
            doubtfulMarks.withLock { marks in
                // Beyond the maximum, marks stay in the store until they end.
                if marks.count < Self.maximumDoubtful { marks[mark.id] = mark }
            }
            throw error
        }
    }

    private static let maximumDoubtful = 4096

    /// Lets those come again that were refused while the store was out. To be called while it works.
    func takeBackDoubtfulMarks() async {
        for mark in doubtfulMarks.withLock({ Array($0.values) }) {
            guard (try? await takeBackDoubtful(mark)) != nil else { return }
        }
    }

    /// Another attempt's marks have another end, and stay.
    private func takeBackDoubtful(_ mark: HandedOverMark) async throws(StoreFailure) {
        try await forget(mark)
        doubtfulMarks.withLock { $0[mark.id] = nil }
    }

    /// Notes that no handler took the callback. From then on it goes to the last handler, whenever and wherever it
    /// comes again.
    public func noteGoneOn(_ mark: HandedOverMark) async throws(StoreFailure) {
        guard let goneOn = mark.goneOn else { return }
        _ = try await use(goneOn, of: mark)
        try await takeBack(mark.proof, of: mark)
    }

    /// Forgets a mark: the callback was not taken, and may come again.
    public func forget(_ mark: HandedOverMark) async throws(StoreFailure) {
        if let goneOn = mark.goneOn { try await takeBack(goneOn, of: mark) }
        try await takeBack(mark.proof, of: mark)
    }

    private func use(_ proof: ShortDigest, of mark: HandedOverMark) async throws(StoreFailure) -> ProofUse {
        let now = clock()
        return try await ask(.useProof) { () async throws(StoreFailure) in
            try await store.use(proof, of: mark.id, until: mark.until, at: now)
        }
    }

    private func takeBack(_ proof: ShortDigest, of mark: HandedOverMark) async throws(StoreFailure) {
        try await ask(.useProof) { () async throws(StoreFailure) in
            try await store.takeBack(proof, of: mark.id, until: mark.until)
        }
    }
}
