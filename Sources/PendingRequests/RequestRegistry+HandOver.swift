public import SwitchyardCrypto
internal import Synchronization

/// Callbacks that are handed over without a request.
extension RequestRegistry {
    /// What the store knows of a callback that is to be handed over.
    public enum HandedOver: Sendable {
        /// Nothing: it is the caller's to hand over, and this is its mark.
        case new(HandedOverMark)
        /// The same one is on its way, or an app has it.
        case came
        /// The same one came, no handler took it, and it went on to what stands behind them.
        case wentOn
    }

    /// That a callback is handed over, which happens once (``RequestRegistry/markHandedOver(_:mayGoOn:lifetime:)``).
    public struct HandedOverMark: Sendable {
        /// Of the callback: nobody can guess one with the digest of another, nor that of a request.
        let id: RequestID
        let proof: ShortDigest
        /// That it went on to what stands behind the handlers; nil where nothing does.
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
    /// There are two marks: that it came, and that it went on. Only who has made the first one looks at the second or
    /// changes it, so two gateways never both find that it is theirs.
    /// - Parameters:
    ///   - digest: of everything that it says, and of where it came.
    ///   - mayGoOn: whether anything stands behind the handlers.
    ///   - lifetime: for how long the same one is known again.
    /// - Throws: ``StoreFailure``; then nobody was handed it, and it may come again. What the store has taken of it all the
    ///   same is taken back: when it comes again here, and else once the store works.
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
                // What has no room stays as long as the callback would be known again.
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

    /// Nobody took the callback, and it goes on to what stands behind the handlers, whenever and wherever it comes again.
    public func noteGoneOn(_ mark: HandedOverMark) async throws(StoreFailure) {
        guard let goneOn = mark.goneOn else { return }
        _ = try await use(goneOn, of: mark)
        try await takeBack(mark.proof, of: mark)
    }

    /// Forgets a mark: nobody took the callback, and it may come again.
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
