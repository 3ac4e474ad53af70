internal import SwitchyardCrypto
internal import SwitchyardDemoIssuer
internal import SwitchyardReactor
internal import Synchronization

/// A sign-in within an app on its way, as a continuation token stands for it.
struct NativeSession: Sendable {
    enum Step: Sendable, Equatable {
        /// The name is known; what next has not been asked.
        case initiated
        /// The password is awaited.
        case password
        /// This code is awaited, which was sent.
        case code(String)
        /// The password was right, and a second factor is needed.
        case secondFactor
        /// This code is awaited, as the second factor.
        case secondCode(String)
        /// All steps are done.
        case ready
    }

    /// The effect of a request with a continuation token.
    enum Move: Sendable {
        /// Another continuation token takes the place of this one.
        case proceed(Step)
        /// Tokens come; the continuation token is used up.
        case finish
        /// The app has to use a browser.
        case redirect
        /// The continuation token stays good, so that a typing error can be put right.
        case refuse(TokenError)
    }

    let clientID: String
    let user: NativeUser
    /// Whether the app said `mfa_required` among its capabilities.
    let handlesSecondFactor: Bool
    var step = Step.initiated
}

/// The sign-ins within apps that are on their way, and the codes that were sent. Safe from any thread.
final class NativeSessions: Sendable {
    /// The result of a request.
    struct Outcome: Sendable {
        let session: NativeSession
        let move: NativeSession.Move
        /// The token for the app's next step; nil when there is no next step.
        let continuationToken: String?
    }

    private struct State {
        var sessions = ExpiringTable<NativeSession>(lifetime: .seconds(600), capacity: 10_000)
        /// The latest code for each recipient.
        var mailboxes = ExpiringTable<String>(lifetime: .seconds(600), capacity: 10_000)
    }

    private let state = Mutex(State())

    /// - Returns: the continuation token.
    func begin(_ session: NativeSession) -> String {
        let now = Instant.now()
        return state.withLock { Self.insert(session, into: &$0, at: now) }
    }

    /// Lets `decide` say what comes next, and does it, in one step: a continuation token takes a sign-in
    /// one step on, once.
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

    /// Begins a sign-in that needs no further step, as after a sign-up.
    /// - Returns: the continuation token.
    func beginReady(clientID: String, user: NativeUser) -> String {
        begin(NativeSession(clientID: clientID, user: user, handlesSecondFactor: false, step: .ready))
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

/// A code that is sent to somebody: decimal digits.
enum OneTimeCode {
    static let length: Int64 = 8

    static func make() -> String {
        // Not quite evenly spread, which does not matter in a demo.
        Random.bytes(Int(length)).map { String($0 % 10) }.joined()
    }

    /// In a time that does not tell how much was right.
    static func isEqual(_ right: String, _ text: String) -> Bool {
        constantTimeEqual(Array(right.utf8), Array(text.utf8))
    }
}
