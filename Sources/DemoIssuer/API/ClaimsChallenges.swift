internal import Synchronization

/// What the APIs want beside a good token, by the name of the API. Safe from any thread.
final class ClaimsChallenges: Sendable {
    private let challenges = Mutex<[String: ClaimsChallenge]>([:])

    subscript(api: String) -> ClaimsChallenge? { challenges.withLock { $0[api] } }

    /// - Parameter challenge: nil for nothing more than a good token.
    func set(_ challenge: ClaimsChallenge?, of api: String) {
        challenges.withLock { $0[api] = challenge }
    }
}
