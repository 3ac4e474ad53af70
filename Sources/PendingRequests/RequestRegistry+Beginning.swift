public import SwitchyardCrypto
public import SwitchyardOAuth
public import SwitchyardRouting

/// How a request begins, and how it is found again.
extension RequestRegistry {
    /// The data of a request that begins; most of it becomes the record's.
    public struct Beginning: Sendable {
        public let app: AppID
        /// The digest of the app's registration at its issuer.
        public let registration: SHA256Digest
        /// The redirect URI for the issuer.
        public let redirectURI: String
        /// The party that redeems the code.
        public let completion: RequestRecord.Completion
        /// Space-separated.
        public let scope: String
        /// How the asking machine calls itself; shown to people as its own claim.
        public let hostLabel: String?
        /// The asking caller, for limits and for rules about the beginner.
        public let beginner: RequestRecord.Beginner
        /// The thumbprint of the key that must prove each call (RFC 9449); nil if no proof is needed.
        public let proofKey: SHA256Digest?
        /// Sealed before they are stored.
        public let secrets: RequestSecrets
        /// The trace that the app's call belongs to.
        public let trace: TraceContext?
        /// The one that the request has elsewhere already; nil for a fresh one.
        public var reference: Reference?
        /// The issuer's answer, for a request that was pushed already.
        public var pushed: PushedRequest?
        /// How long it waits for its callback; nil for as long as the policy says.
        public var lifetime: Duration?

        public init(
            app: AppID, registration: SHA256Digest, redirectURI: String, completion: RequestRecord.Completion,
            scope: String, hostLabel: String?,
            beginner: RequestRecord.Beginner, proofKey: SHA256Digest? = nil, secrets: RequestSecrets,
            trace: TraceContext? = nil
        ) {
            self.app = app
            self.registration = registration
            self.redirectURI = redirectURI
            self.completion = completion
            self.scope = scope
            self.hostLabel = hostLabel
            self.beginner = beginner
            self.proofKey = proofKey
            self.secrets = secrets
            self.trace = trace
        }
    }

    /// Takes a new request in.
    /// - Returns: the record, and the result token, which is kept nowhere but at the app.
    public func begin(
        _ beginning: Beginning
    ) async throws(StoreError) -> Result<(RequestRecord, resultToken: String), InsertionRefusal> {
        try await ask(.insert) { () async throws(StoreError) in
            // A caller that has waited at the socket may come before the store is open.
            try await store.waitUntilOpen()
            let policy = policy
            let (record, token) = make(beginning, policy)
            var result = try await insert(record, policy)
            if case .failure(.stateInUse) = result, try await isFreeNow(record.stateHash) {
                result = try await insert(record, policy)
            }
            return result.map { (record, token) }
        }
    }

    /// Whether a used state is free again: it may have belonged to a call that got a failure.
    private func isFreeNow(_ state: SHA256Digest) async throws(StoreError) -> Bool {
        guard let other = try await store.find(.state(state)) else { return true }
        guard lateSteps.contains(other.id) else { return false }
        try await settleLateSteps(of: other.id)
        return true
    }

    private func insert(
        _ record: RequestRecord, _ policy: Policy
    ) async throws(StoreError) -> Result<Void, InsertionRefusal> {
        do throws(StoreError) {
            return try await store.insert(record, within: policy.quota)
        } catch {
            if let token = record.resultTokenHash { lateSteps.add(.begin(token), of: record.id) }
            throw error
        }
    }

    private func make(_ beginning: Beginning, _ policy: Policy) -> (RequestRecord, resultToken: String) {
        let stateHash = SHA256Digest(of: beginning.secrets.state)
        let id = RequestID(for: stateHash)
        let token = Random.token()
        let now = clock()
        var record = RequestRecord(
            id: id, reference: beginning.reference ?? Reference(), app: beginning.app,
            registration: beginning.registration,
            redirectURI: beginning.redirectURI, completion: beginning.completion, scope: beginning.scope,
            hostLabel: beginning.hostLabel, beginner: beginning.beginner,
            stateHash: stateHash, resultTokenHash: SHA256Digest(of: token),
            proofKey: beginning.proofKey, createdAt: now,
            expiresAt: now + (beginning.lifetime ?? policy.lifetimes.request),
            sealedSecrets: policy.keys.seal(beginning.secrets.packed, context: "secrets \(id)"), trace: beginning.trace)
        if let pushed = beginning.pushed {
            let (sealed, until) = sealed(pushed, id)
            record.pushes = RequestRecord.Pushes(count: 1, sealed: sealed, until: max(until, now))
        }
        return (record, token)
    }

    /// The present record. The first caller that sees an effect of time writes it.
    /// - Throws: ``StoreError`` also for a record that was sealed with a key that this gateway does not have: another
    ///   gateway may, and this one may get it.
    public func find(_ key: RequestKey) async throws(StoreError) -> RequestRecord? {
        guard let record = try await look(key) else { return nil }
        return try readable(record)
    }

    /// The request that a callback with this state is for. One that waits for its callback may be as this gateway saw it last;
    /// the step that the callback takes looks at the present record.
    public func find(forCallbackWith stateHash: SHA256Digest) async throws(StoreError) -> RequestRecord? {
        if let record = recall(.state(stateHash)) { return try readable(record) }
        return try await find(.state(stateHash))
    }

    /// The request as this gateway remembers it, for a caller that waits for a change, or reads an unread result; nil for
    /// everything else. The record may be out of date. A waiting caller looks again after ``rereadInterval``, and the step
    /// that reads a result looks at the present record.
    /// - Parameter waits: whether the caller waits for a change of a request that stands so.
    public func find(
        forCollecting id: RequestID, waits: (RequestRecord) -> Bool
    ) throws(StoreError) -> RequestRecord? {
        guard let record = recall(.id(id)) else { return nil }
        let isUnread = record.outcome.map { $0.sealedAnswer != nil && $0.firstReadAt == nil } ?? false
        return isUnread || (!record.isFinished && waits(record)) ? try readable(record) : nil
    }

    private func recall(_ key: RequestKey) -> RequestRecord? {
        guard let record = store.recall(key), clock() < record.dueAt else { return nil }
        return record
    }

    /// The record of a watch, as it is now, or as it ended.
    public func find(_ watch: RequestWatch) async throws(StoreError) -> RequestRecord? {
        if let ended = watch.ended { return try readable(ended) }
        return try await find(.id(watch.id))
    }

    private func readable(_ record: RequestRecord) throws(StoreError) -> RequestRecord {
        for sealed in [record.sealedSecrets, record.held?.sealed, record.outcome?.sealedAnswer] {
            if let id = missingKey(of: sealed) {
                throw StoreError(
                    "sign-in \(record.reference) is sealed with the encryption key \"\(id)\", which is not configured",
                    missingKey: id)
            }
        }
        return record
    }

    private func look(_ key: RequestKey) async throws(StoreError) -> RequestRecord? {
        let found = try await ask(.find) { () async throws(StoreError) in try await store.find(key) }
        guard let record = found, case let now = clock(), record.dueAt <= now else { return found }
        var aged = record
        guard (try? aged.apply(.age, at: now)) != nil else { return record }
        let result: Result<RequestRecord, RequestTransition.Refusal>
        do throws(StoreError) {
            // Several callers may look at once; this one took the step.
            result = try await apply(.age, to: record.id, at: now) { current in
                if current.isFinished, !record.isFinished { report(.ended(current)) }
            }
        } catch {
            if !record.isFinished { expectLate(aged) }
            throw error
        }
        switch result {
        case .success(let current): return current
        case .failure(.repeated):
            return try await ask(.find) { () async throws(StoreError) in try await store.find(key) }
        case .failure: return nil
        }
    }

    /// Opens what ``begin(_:)`` sealed; nil once the request is over.
    public func secrets(of record: RequestRecord) -> RequestSecrets? {
        open(record.sealedSecrets, "secrets", of: record).flatMap { RequestSecrets(packed: $0) }
    }
}
