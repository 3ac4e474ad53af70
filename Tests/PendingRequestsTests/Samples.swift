import SwitchyardCrypto
import SwitchyardOAuth
import SwitchyardPendingRequests
import SwitchyardRouting
import TestSupport

extension Timestamp {
    /// A time of these tests: seconds after the day on which their requests begin.
    static func at(_ seconds: Int) -> Timestamp {
        Timestamp(milliseconds: 1_000_000 + Int64(seconds) * 1000)
    }
}

extension RequestRecord {
    /// A request that begins at 0 s and expires at 600 s.
    static func sample(
        app: AppID = "app", address: String? = "192.0.2.1", isAuthenticated: Bool = false,
        state: String = Random.token()
    ) -> RequestRecord {
        let stateHash = SHA256Digest(of: state)
        return RequestRecord(
            id: RequestID(for: stateHash), reference: Reference(), app: app,
            registration: SHA256Digest(of: "contoso client"),
            redirectURI: "https://login.example/cb",
            completion: .tokens, scope: "openid", hostLabel: nil,
            beginner: Beginner(callerKey: address, uid: nil, isAuthenticated: isAuthenticated),
            stateHash: stateHash, resultTokenHash: SHA256Digest(of: Random.token()),
            createdAt: .at(0), expiresAt: .at(600), sealedSecrets: [1, 2, 3])
    }

    /// A request that begins then, and expires ten minutes later.
    static func begun(at second: Int) -> RequestRecord {
        let stateHash = SHA256Digest(of: Random.token())
        return RequestRecord(
            id: RequestID(for: stateHash), reference: Reference(), app: "app",
            registration: SHA256Digest(of: "contoso client"), redirectURI: "https://login.example/cb",
            completion: .tokens, scope: "openid", hostLabel: nil,
            beginner: Beginner(callerKey: "192.0.2.1", uid: nil, isAuthenticated: false), stateHash: stateHash,
            resultTokenHash: SHA256Digest(of: Random.token()), createdAt: .at(second), expiresAt: .at(second + 600),
            sealedSecrets: [1, 2, 3])
    }

    /// One that has something in every field that a request can begin with.
    static func full(state: String = Random.token()) -> RequestRecord {
        let stateHash = SHA256Digest(of: state)
        return RequestRecord(
            id: RequestID(for: stateHash), reference: Reference(), app: "com.contoso.app1",
            registration: SHA256Digest(of: "contoso client"), redirectURI: "http://127.0.0.1:49152/auth",
            completion: .response, scope: "openid profile", hostLabel: "box-17",
            beginner: Beginner(
                callerKey: "2001:db8::", address: "2001:db8::7", isAddressUnknown: true, uid: 1000,
                isAuthenticated: true),
            stateHash: stateHash, resultTokenHash: SHA256Digest(of: "token"),
            proofKey: SHA256Digest(of: "key"), createdAt: .at(0), expiresAt: .at(600),
            sealedSecrets: (0..<200).map { UInt8($0) },
            trace: TraceContext(traceparent: ["00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"]))
    }
}

extension CheckedResponse {
    /// The response with the code `name`, for the request with this state.
    static func sample(_ name: String, state: String) throws -> CheckedResponse {
        let form = try RedirectURI("https://login.example/cb").form
        let unchecked = try UncheckedResponse(query: Array("code=\(name)&state=\(state)".utf8), content: nil, at: form)
        return try unchecked.matched(redirectURI: form, state: SHA256Digest(of: state))
            .checked(by: IssuerIdentification(expected: .exactly("https://id.example"), isRequired: false))
    }
}

extension ShortDigest {
    /// The digest of a code, or of a proof.
    static func named(_ name: String) -> ShortDigest { ShortDigest(SHA256Digest(of: name)) }
}

extension RequestRecord.Callback {
    /// A callback that is told apart from others by its name.
    static func named(_ name: String) -> RequestRecord.Callback {
        RequestRecord.Callback(fingerprint: SHA256Digest(of: name), browserHash: SHA256Digest(of: "browser of \(name)"))
    }
}

extension RequestRecord.Claim {
    /// The claimant in these tests.
    static let sampleClaimant: UInt64 = 7

    /// A lease of 60 s.
    static func sample(at time: Timestamp, by claimant: UInt64 = sampleClaimant) -> RequestRecord.Claim {
        RequestRecord.Claim(claimant: claimant, lease: time + .seconds(60))
    }
}

extension RequestRecord.Outcome {
    /// An outcome with a result that, unread, goes when its request would have expired.
    static func sample(_ kind: Kind, at time: Timestamp) -> RequestRecord.Outcome {
        RequestRecord.Outcome(
            kind: kind, finishedAt: time, answer: .sealed(Array("result".utf8)),
            discardAt: max(.at(600), time + .seconds(60)))
    }
}

extension RequestTransition {
    /// A claim with a lease until 60 s after `time`.
    static func claim(by name: String, at time: Timestamp) -> RequestTransition {
        .claim(.named(name), .notNeeded, .sample(at: time), code: .named(name))
    }

    /// A callback that is the outcome too.
    /// - Parameter size: of the result.
    static func settle(by name: String, at time: Timestamp, size: Int = 6) -> RequestTransition {
        let outcome = RequestRecord.Outcome(
            kind: .completed, finishedAt: time, answer: .sealed([UInt8](repeating: 7, count: size)),
            discardAt: max(.at(600), time + .seconds(60)))
        return .settle(.named(name), .notNeeded, outcome, code: .named(name))
    }

    /// A callback with a code that is held for 300 s.
    static func hold(by name: String, at time: Timestamp) -> RequestTransition {
        .hold(
            .named(name),
            RequestRecord.Held(proof: .code, sealed: [4, 5, 6], until: time + .seconds(300), attempts: 3),
            code: .named(name))
    }

    static func complete(at time: Timestamp) -> RequestTransition {
        .finish(.sample(.completed, at: time), claimant: RequestRecord.Claim.sampleClaimant)
    }

    /// A read after which the result stays for 60 s.
    static func read(at time: Timestamp) -> RequestTransition {
        .read(discardAt: time + .seconds(60))
    }
}

extension RequestRegistry {
    /// Ends a claimed request in one try.
    @discardableResult
    func finish(
        _ record: RequestRecord, _ kind: RequestRecord.Outcome.Kind, answer: [UInt8],
        report: @escaping Report = { _ in }
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal> {
        try await finish(record, with: outcome(record, kind, answer), report: report)
    }

    /// Gives the request to a response with a code that is redeemed at once.
    func claim(
        _ record: RequestRecord, for response: CheckedResponse, from browser: SHA256Digest? = nil,
        by claim: RequestRecord.Claim? = nil, report: @escaping Report = { _ in }
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal> {
        try await accept(
            response, for: record, from: browser, .redeem(by: claim ?? makeClaim(), .notNeeded), report: report)
    }

    /// Gives the request to a response that is held until a code releases it.
    func hold(
        _ record: RequestRecord, for response: CheckedResponse, _ content: HeldResponse,
        report: @escaping Report = { _ in }
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal> {
        try await accept(response, for: record, from: nil, .hold(content, until: .code), report: report)
    }

    /// Releases a held response with a fresh claim.
    func release(
        _ id: RequestID, for work: RequestTransition.Work
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal> {
        try await release(id, by: makeClaim(), for: work)
    }
}
