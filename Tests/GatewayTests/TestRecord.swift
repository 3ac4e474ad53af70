import Crypto
import PendingRequests

extension RequestRecord {
    /// A request that was begun at 0 s and expires at 600 s, after some steps.
    static func sample(after steps: RequestTransition...) throws -> RequestRecord {
        var record = RequestRecord(
            id: RequestID(), reference: Reference(), app: "com.contoso.app1", redirectURI: "https://login.example/cb",
            completion: .tokens, scope: "openid", hostLabel: "build-box-7",
            beginner: Beginner(addressKey: "192.0.2.1", uid: nil, isAuthenticated: false),
            stateHash: SHA256Digest(of: "a-planted-state"), resultTokenHash: SHA256Digest(of: "a-planted-token"),
            createdAt: start, expiresAt: start + .seconds(600), sealedSecrets: Array("planted-secrets".utf8))
        for step in steps { try record.apply(step, at: start + .seconds(1)) }
        return record
    }

    static let start = Timestamp(milliseconds: 1_795_230_000_000)
}

extension RequestTransition {
    static let sampleClaim = RequestTransition.claim(
        .init(fingerprint: SHA256Digest(of: "a"), browserHash: nil), lease: RequestRecord.start + .seconds(60))

    static func sampleEnd(_ kind: RequestRecord.Outcome.Kind) -> RequestTransition {
        .finish(
            .init(
                kind: kind, finishedAt: RequestRecord.start, sealedResult: Array("planted-result".utf8),
                discardAt: RequestRecord.start + .seconds(600)))
    }
}
