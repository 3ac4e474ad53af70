internal import SwitchyardCrypto
internal import SwitchyardReactor
internal import Synchronization

/// The sign-ins within apps that are on their way, and the codes that were sent. Safe from any thread.
final class NativeSessions: Sendable {
    /// What a request came to.
    struct Outcome: Sendable {
        let session: NativeSession
        let move: NativeSession.Move
        /// What the app goes on with; nil when it cannot.
        let continuationToken: String?
    }

    private struct State {
        var sessions = ExpiringTable<NativeSession>(lifetime: .seconds(600), capacity: 10_000)
        /// The latest code, by the name of who got it.
        var mailboxes = ExpiringTable<String>(lifetime: .seconds(600), capacity: 10_000)
    }

    private let state = Mutex(State())

    /// - Returns: the continuation token.
    func begin(_ session: NativeSession) -> String {
        let now = Instant.now()
        return state.withLock { Self.insert(session, into: &$0, at: now) }
    }

    /// Lets `decide` say what comes next, and does it, in one step: a continuation token takes a sign-in one step on, once.
    /// - Returns: nil when the token is unknown, expired, used or of another client.
    func advance(
        _ token: String, of clientID: String, _ decide: @Sendable (NativeSession) -> NativeSession.Move
    ) -> Outcome? {
        let now = Instant.now()
        return state.withLock { state -> Outcome? in
            guard var session = state.sessions.value(for: token, at: now), session.clientID == clientID else {
                return nil
            }
            let move = decide(session)
            var next: String?
            switch move {
            case .proceed(let step):
                session.step = step
                next = Self.insert(session, into: &state, at: now)
                _ = state.sessions.take(token, at: now) { _ in nil }
            case .finish: _ = state.sessions.take(token, at: now) { _ in nil }
            case .redirect, .refuse: break
            }
            return Outcome(session: session, move: move, continuationToken: next)
        }
    }

    /// The latest code that was sent to somebody.
    func code(for username: String) -> String? {
        let now = Instant.now()
        return state.withLock { $0.mailboxes.value(for: username, at: now) }
    }

    private static func insert(_ session: NativeSession, into state: inout State, at now: Instant) -> String {
        let token = Random.token()
        state.sessions.insert(session, for: token, at: now)
        switch session.step {
        case .code(let code), .secondCode(let code):
            state.mailboxes.insert(code, for: session.user.person.username, at: now)
        case .initiated, .password, .secondFactor, .ready: break
        }
        return token
    }
}
