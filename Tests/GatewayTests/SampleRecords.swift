import SwitchyardCrypto
import SwitchyardPendingRequests
import TestSupport

extension RequestRecord {
    /// A request that began at 0 s and expires at 600 s, after the steps that are given.
    static func sample(
        beginner: Beginner = Beginner(callerKey: "192.0.2.1", uid: nil, isAuthenticated: false),
        completion: Completion = .tokens, _ steps: RequestTransition...
    ) throws -> RequestRecord {
        try sample(beginner: beginner, completion: completion, steps)
    }

    static func sample(
        beginner: Beginner = Beginner(callerKey: "192.0.2.1", uid: nil, isAuthenticated: false),
        completion: Completion = .tokens, _ steps: [RequestTransition]
    ) throws -> RequestRecord {
        var record = RequestRecord(
            id: RequestID(for: SHA256Digest(of: "state")), reference: Reference(), app: "com.contoso.app1",
            registration: SHA256Digest(of: "contoso client"), redirectURI: "https://login.example/cb",
            completion: completion, scope: "openid", hostLabel: nil,
            beginner: beginner, stateHash: SHA256Digest(of: "state"), resultTokenHash: SHA256Digest(of: "token"),
            createdAt: .at(0), expiresAt: .at(600), sealedSecrets: [1])
        for step in steps { try record.apply(step, at: step.isAging ? .at(600) : .at(1)) }
        return record
    }
}

extension RequestTransition {
    static let claim = claim(
        RequestRecord.Callback(fingerprint: SHA256Digest(of: "callback"), browserHash: nil), .notNeeded, .sample,
        code: nil)
    static let handOver = release(.sample, for: .answer)

    /// Held until 300 s.
    static let hold = hold(
        RequestRecord.Callback(fingerprint: SHA256Digest(of: "callback"), browserHash: nil),
        RequestRecord.Held(proof: .code, sealed: [3], until: .at(300), attempts: 3), code: nil)

    static func finish(_ kind: RequestRecord.Outcome.Kind) -> RequestTransition {
        .finish(.sample(kind), claimant: RequestRecord.Claim.sample.claimant)
    }

    static let cancel = cancel(.sample(.canceled))

    fileprivate var isAging: Bool {
        if case .age = self { true } else { false }
    }
}

extension RequestRecord.Claim {
    static let sample = RequestRecord.Claim(claimant: 1, lease: .at(60))
}

extension RequestRecord.Outcome {
    fileprivate static func sample(_ kind: Kind) -> RequestRecord.Outcome {
        RequestRecord.Outcome(kind: kind, finishedAt: .at(1), answer: .sealed([2]), discardAt: .at(600))
    }
}

extension Timestamp {
    fileprivate static func at(_ seconds: Int64) -> Timestamp {
        Timestamp(milliseconds: 1_000_000 + seconds * 1000)
    }
}
