public import SwitchyardCrypto
public import SwitchyardOAuth
internal import Synchronization

/// The life of pending token requests: makes them, seals what is secret, takes them from step to step, and tells those
/// who wait. Safe from any thread.
public final class RequestRegistry: Sendable {
    /// How long things live.
    public struct Lifetimes: Sendable {
        public var request: Duration
        /// After the first read.
        public var result: Duration
        /// For a held code.
        public var release: Duration
        /// How long work on a claimed request may take before it counts as abandoned.
        public var lease: Duration

        public init(request: Duration, result: Duration, release: Duration = .seconds(300), lease: Duration) {
            self.request = request
            self.result = result
            self.release = release
            self.lease = lease
        }
    }

    /// What is asked for when a request begins; most of it becomes the record's.
    public struct Beginning: Sendable {
        public let app: String
        /// What the app is at its issuer, as a digest.
        public let registration: SHA256Digest
        /// As the issuer is to be told.
        public let redirectURI: String
        public let completion: RequestRecord.Completion
        /// Space-separated.
        public let scope: String
        /// How the asking machine calls itself; shown to people as its own claim.
        public let hostLabel: String?
        public let beginner: RequestRecord.Beginner
        /// The thumbprint of the key that has to prove each call (RFC 9449); nil where none has to.
        public let proofKey: SHA256Digest?
        /// Sealed before they are stored.
        public let secrets: RequestSecrets

        public init(
            app: String, registration: SHA256Digest, redirectURI: String, completion: RequestRecord.Completion,
            scope: String, hostLabel: String?,
            beginner: RequestRecord.Beginner, proofKey: SHA256Digest? = nil, secrets: RequestSecrets
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
        }
    }

    /// What a reload may change.
    public struct Policy: Sendable {
        public let keys: KeyRing
        public let quota: RequestQuota
        public let lifetimes: Lifetimes

        public init(keys: KeyRing, quota: RequestQuota, lifetimes: Lifetimes) {
            self.keys = keys
            self.quota = quota
            self.lifetimes = lifetimes
        }
    }

    public let changes = ChangeHub()
    private let store: any RequestStore
    private let policy: Mutex<Policy>

    private var keys: KeyRing { policy.withLock(\.keys) }
    private var lifetimes: Lifetimes { policy.withLock(\.lifetimes) }

    public init(store: any RequestStore, policy: Policy) {
        self.store = store
        self.policy = Mutex(policy)
    }

    /// Holds for what happens from now on; what was sealed before opens if its key is still there.
    public func use(_ policy: Policy) {
        self.policy.withLock { $0 = policy }
    }

    /// Takes a new request in.
    /// - Returns: the record, and the result token, which is kept nowhere but at the app.
    public func begin(
        _ beginning: Beginning
    ) async throws(StoreFailure) -> Result<(RequestRecord, resultToken: String), InsertionRefusal> {
        let policy = policy.withLock(\.self)
        let id = RequestID()
        let token = Random.token()
        let now = Timestamp.now()
        let record = RequestRecord(
            id: id, reference: Reference(), app: beginning.app, registration: beginning.registration,
            redirectURI: beginning.redirectURI,
            completion: beginning.completion, scope: beginning.scope, hostLabel: beginning.hostLabel,
            beginner: beginning.beginner, stateHash: SHA256Digest(of: beginning.secrets.state),
            resultTokenHash: SHA256Digest(of: token), proofKey: beginning.proofKey, createdAt: now,
            expiresAt: now + policy.lifetimes.request,
            sealedSecrets: policy.keys.seal(beginning.secrets.packed, context: "secrets \(id)"))
        return try await store.insert([record], quota: policy.quota)[0].map { (record, token) }
    }

    /// The record as it is now: what time has brought about counts from its moment, though the store is told of it only
    /// once a second.
    public func find(_ key: RequestKey) async throws(StoreFailure) -> RequestRecord? {
        var record = try await store.find([key])[0]
        // Aging never refuses.
        try? record?.apply(.age, at: Timestamp.now())
        return record
    }

    /// Opens what ``begin(_:)`` sealed; nil once the request is over.
    public func secrets(of record: RequestRecord) -> RequestSecrets? {
        guard let packed = try? keys.open(record.sealedSecrets, context: "secrets \(record.id)") else { return nil }
        return RequestSecrets(packed: packed)
    }

    /// Gives the request to the response that came, to be redeemed at once; exactly one ever gets it.
    /// - Parameters:
    ///   - response: of this request, which the checks have shown; another one's is refused as `unknown`.
    ///   - browser: a digest of the cookie of the browser that brought it; nil when it was relayed.
    public func claim(
        _ record: RequestRecord, for response: CheckedResponse, from browser: SHA256Digest?,
        release: RequestRecord.Release
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        guard response.stateHash == record.stateHash else { return .failure(.unknown) }
        let callback = RequestRecord.Callback(fingerprint: response.fingerprint, browserHash: browser)
        return try await apply(.claim(callback, release, lease: Timestamp.now() + lifetimes.lease), to: record.id)
    }

    /// As ``claim(_:for:from:release:)``, but what the response brought is kept until the release.
    public func hold(
        _ record: RequestRecord, for response: CheckedResponse, from browser: SHA256Digest?, _ content: HeldResponse,
        until proof: RequestRecord.Held.Proof
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        guard response.stateHash == record.stateHash else { return .failure(.unknown) }
        let callback = RequestRecord.Callback(fingerprint: response.fingerprint, browserHash: browser)
        let held = RequestRecord.Held(
            proof: proof, sealed: keys.seal(content.packed, context: "held \(record.id)"),
            until: Timestamp.now() + lifetimes.release)
        return try await apply(.hold(callback, held), to: record.id)
    }

    /// A callback came in another browser than the one that started: its code is never taken for this request.
    /// - Parameters:
    ///   - code: a digest of it.
    ///   - answer: the body that the app gets when it was the last one that may come so.
    public func refuseCode(
        _ code: SHA256Digest, of record: RequestRecord, answer: [UInt8]
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        try await apply(.refuseCode(code, outcome(record, .failed("release_failed"), answer)), to: record.id)
    }

    /// Opens what ``hold(_:for:from:_:until:)`` sealed; nil for a request that holds nothing.
    public func heldResponse(of record: RequestRecord) -> HeldResponse? {
        guard let held = record.held, let packed = try? keys.open(held.sealed, context: "held \(record.id)") else {
            return nil
        }
        return HeldResponse(packed: packed)
    }

    /// Lets the held response go on its way: the app has proved that it belongs to the browser.
    public func release(
        _ id: RequestID
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        try await apply(.release(lease: Timestamp.now() + lifetimes.lease), to: id)
    }

    /// Counts a wrong proof.
    /// - Parameter answer: the body that the app gets when it was the last one.
    public func miss(
        _ record: RequestRecord, answer: [UInt8]
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        try await apply(.miss(outcome(record, .misproved, answer)), to: record.id)
    }

    /// Ends a request because the person at the browser did not begin it.
    public func deny(
        _ record: RequestRecord, answer: [UInt8]
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        try await apply(.deny(outcome(record, .denied, answer)), to: record.id)
    }

    /// Remembers that the outcome is waited for at another address than the beginner's.
    public func noteForeignWatcher(_ id: RequestID) async throws(StoreFailure) {
        _ = try await store.apply([RequestChange(.id(id), .noteForeignWatcher)], at: Timestamp.now())
    }

    /// A value that proves to this gateway, and to others with its keys, that it made it for this request and purpose.
    public func makeMark(_ purpose: String, for id: RequestID) -> String {
        Base64URL.encode(keys.seal([], context: "\(purpose) \(id)"))
    }

    /// Whether ``makeMark(_:for:)`` made the value.
    public func isMark(_ text: some StringProtocol, _ purpose: String, for id: RequestID) -> Bool {
        guard text.utf8.count <= 256, let sealed = Base64URL.decode(Array(text.utf8)) else { return false }
        return (try? keys.open(sealed, context: "\(purpose) \(id)")) != nil
    }

    /// Seals a text that goes out and comes back, for one request and purpose.
    public func seal(_ text: String, _ purpose: String, for id: RequestID) -> String {
        Base64URL.encode(keys.seal(Array(text.utf8), context: "\(purpose) \(id)"))
    }

    /// The text that ``seal(_:_:for:)`` sealed for this request and purpose; nil for anything else.
    public func open(_ sealed: some StringProtocol, _ purpose: String, for id: RequestID) -> String? {
        guard sealed.utf8.count <= 8192, let bytes = Base64URL.decode(Array(sealed.utf8)),
            let text = try? keys.open(bytes, context: "\(purpose) \(id)")
        else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    /// Says, before the code is sent, that it will be: whoever finds the request later knows that the code may be spent.
    public func startRedeeming(
        _ id: RequestID
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        try await apply(.startRedeeming(lease: Timestamp.now() + lifetimes.lease), to: id)
    }

    /// Ends a claimed request. The result is stored before this comes back.
    /// - Parameter answer: the body that the app gets.
    @discardableResult
    public func finish(
        _ record: RequestRecord, _ kind: RequestRecord.Outcome.Kind, answer: [UInt8]
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        try await apply(.finish(outcome(record, kind, answer)), to: record.id)
    }

    /// Ends a request for its app, before any outcome.
    public func cancel(
        _ record: RequestRecord, answer: [UInt8]
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        try await apply(.cancel(outcome(record, .canceled, answer)), to: record.id)
    }

    /// The answer for the app, noting that it was read; nil once it is gone.
    public func read(_ record: RequestRecord) async throws(StoreFailure) -> [UInt8]? {
        let read = RequestTransition.read(discardAt: Timestamp.now() + lifetimes.result)
        guard case .success(let record) = try await apply(read, to: record.id) else { return nil }
        guard let sealed = record.outcome?.sealedResult else { return nil }
        return try? keys.open(sealed, context: "result \(record.id)")
    }

    /// Forgets the outcome: the app has it.
    public func acknowledge(_ id: RequestID) async throws(StoreFailure) {
        _ = try await apply(.acknowledge, to: id)
    }

    /// Lets time pass; to be called about once a second.
    /// - Returns: the requests that time has finished.
    public func age() async throws(StoreFailure) -> [RequestRecord] {
        let finished = try await store.age(at: Timestamp.now())
        for record in finished { changes.notify(record.id) }
        return finished
    }

    public func pendingCount() async throws(StoreFailure) -> Int {
        try await store.pendingCount()
    }

    /// An unread result lives as long as its request, and at least as long as a read one.
    private func outcome(
        _ record: RequestRecord, _ kind: RequestRecord.Outcome.Kind, _ answer: [UInt8]
    ) -> RequestRecord.Outcome {
        let now = Timestamp.now()
        return RequestRecord.Outcome(
            kind: kind, finishedAt: now, sealedResult: keys.seal(answer, context: "result \(record.id)"),
            discardAt: kind == .canceled ? now + lifetimes.result : max(record.expiresAt, now + lifetimes.result))
    }

    private func apply(
        _ transition: RequestTransition, to id: RequestID
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        let result = try await store.apply([RequestChange(.id(id), transition)], at: Timestamp.now())[0]
        if case .success = result { changes.notify(id) }
        return result
    }
}
