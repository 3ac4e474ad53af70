internal import SwitchyardClient
internal import SwitchyardGateway
internal import SwitchyardOAuth
internal import SwitchyardReactor
internal import SwitchyardRedemption
internal import SwitchyardTokenStorage
internal import Synchronization

/// The tokens of one client ID: in the user's storage or, while that fails, in this process's memory. So a locked
/// keyring or a full disk does not cost a person a second sign-in.
///
/// Safe from any thread.
final class ClientTokens: Sendable {
    typealias Teller = @Sendable (KeepingNews) -> Void

    private struct State {
        /// The application with its cache in memory, for tokens that the storage does not take; made with the first of
        /// them, and empty most of the time.
        var memory: PublicClientApplication?
        /// The tokens in memory; nil where the storage has all.
        var held: Held?
        /// The reason why the tokens of the latest sign-in were lost; nil if they are stored.
        var loss: KeepingProblem?
        /// Whether a task retries to move the held tokens.
        var isTrying = false
        /// How often each account was taken out, by its identifier: an older task must not bring it back.
        var departures: [String: Int] = [:]

        /// - Returns: the sign-ins that wait for the outcome.
        mutating func forgetHeld() -> [Teller] {
            defer { held = nil }
            return held?.tellers ?? []
        }
    }

    private struct Held {
        /// The reason why the storage refused it.
        var problem: KeepingProblem
        /// The sign-ins that the tokens come from.
        var tellers: [Teller]
    }

    private static let maximumTellers = 64
    /// The pauses between two tries to move the held tokens.
    private static let pauses = (first: Duration.seconds(1), longest: Duration.seconds(30))

    /// The application with its cache in the user's storage.
    let stored: PublicClientApplication
    private let state = Mutex(State())
    /// One task at a time saves, moves or takes out tokens: during a move they may be in both caches, or in neither.
    private let turns = Turns()
    private let tellPerson: @Sendable (KeepingProblem) async -> Void

    /// - Parameter tellPerson: is called when the storage stops to take tokens.
    init(
        _ settings: PublicClientApplicationConfiguration,
        tellingPerson tellPerson: @escaping @Sendable (KeepingProblem) async -> Void
    ) throws(AuthenticationError) {
        self.tellPerson = tellPerson
        stored = try PublicClientApplication(configuration: settings)
    }

    /// The scopes that are asked for in every sign-in.
    var automaticScopes: Scopes { stored.automaticScopes }

    /// Whether there is something that would be lost with this process.
    var isHolding: Bool { state.withLock { $0.held != nil } }

    /// The reason why some tokens are in memory alone; nil without such tokens.
    var problemOfHeld: KeepingProblem? { state.withLock(\.held?.problem) }

    /// The explanation behind "not signed in" when a sign-in took place and its tokens were lost.
    var whyNobody: String {
        guard let problem = state.withLock({ $0.held?.problem ?? $0.loss }) else { return "" }
        return ", or the tokens could not be kept: \(problem.detail); \(problem.remedy)"
    }

    // MARK: Keeping

    /// - Returns: whether they are in the storage; otherwise it has been told.
    func keep(
        _ tokens: RedeemedTokens, requested: Scopes, telling tell: @escaping Teller
    ) async -> Bool {
        await turns.take { await keepNow(tokens, requested, tell) }
    }

    private func keepNow(_ tokens: RedeemedTokens, _ requested: Scopes, _ tell: @escaping Teller) async -> Bool {
        // Older tokens are moved first, so that they do not replace newer ones.
        if isHolding { await moveHeldNow() }
        if let problem = problemOfHeld {
            await hold(tokens, requested, problem, tell)
            return false
        }
        do throws(AuthenticationError) {
            _ = try await stored.keep(tokens, requested: requested)
            state.withLock { $0.loss = nil }
            return true
        } catch {
            let problem = KeepingProblem(error)
            if error.code == .cacheFailed {
                await hold(tokens, requested, problem, tell)
            } else {
                cannotKeep(problem, tell)
            }
            return false
        }
    }

    /// Reports tokens that cannot be kept; another try would not help.
    func cannotKeep(_ problem: KeepingProblem, _ tell: Teller) {
        state.withLock { $0.loss = problem }
        tell(.notKept(problem))
    }

    private func hold(
        _ tokens: RedeemedTokens, _ requested: Scopes, _ problem: KeepingProblem, _ tell: @escaping Teller
    ) async {
        do throws(AuthenticationError) {
            _ = try await memory().keep(tokens, requested: requested)
        } catch {
            return cannotKeep(problem, tell)
        }
        holds(problem, tell)
    }

    /// Something is held from now on, until the storage takes it.
    private func holds(_ problem: KeepingProblem, _ tell: @escaping Teller) {
        let isFirst = state.withLock { state in
            let tellers = (state.held?.tellers ?? []).suffix(Self.maximumTellers - 1)
            state.held = Held(problem: problem, tellers: tellers + [tell])
            state.loss = nil
            defer { state.isTrying = true }
            return !state.isTrying
        }
        tell(.notKept(problem))
        guard isFirst, let loop = EventLoop.current else { return }
        loop.start { [tellPerson] in await tellPerson(problem) }
        loop.start { [self] in await keepTrying() }
    }

    private func memory() throws(AuthenticationError) -> PublicClientApplication {
        if let memory = state.withLock(\.memory) { return memory }
        var settings = stored.configuration
        settings.cache = TokenCacheConfiguration(place: .memory)
        let made = try PublicClientApplication(configuration: settings)
        return state.withLock { state in
            let memory = state.memory ?? made
            state.memory = memory
            return memory
        }
    }

    private func keepTrying() async {
        var pause = Self.pauses.first
        while state.withLock({ state in
            state.isTrying = state.held != nil
            return state.isTrying
        }) {
            await EventLoop.sleep(until: .now() + pause)
            await moveHeld()
            pause = min(pause * 2, Self.pauses.longest)
        }
    }

    /// Tries once to move the held tokens into the storage.
    func moveHeld() async { await turns.take { await moveHeldNow() } }

    private func moveHeldNow() async {
        guard let memory = state.withLock(\.memory) else { return }
        do throws(AuthenticationError) {
            guard try await stored.takeOver(from: memory) else { return }
            for tell in state.withLock({ $0.forgetHeld() }) { tell(.kept) }
        } catch {
            state.withLock { $0.held?.problem = KeepingProblem(error) }
        }
    }

    // MARK: Using

    /// The application of the tokens in memory; nil without such tokens.
    private var held: PublicClientApplication? { state.withLock { $0.held == nil ? nil : $0.memory } }

    func accounts() async throws(AuthenticationError) -> [Account] {
        guard let held = try await held?.accounts(), !held.isEmpty else { return try await stored.accounts() }
        // The reason why the storage shows no accounts is told with those in memory.
        let stored = (try? await stored.accounts()) ?? []
        return held + stored.filter { !held.contains($0) }
    }

    func account(for name: String) async throws(AuthenticationError) -> Account? {
        if let account = try await held?.account(for: name) { return account }
        return try await stored.account(for: name)
    }

    /// - Returns: the token, and why it is in memory alone where it is.
    func acquire(
        _ parameters: SilentTokenParameters
    ) async throws(AuthenticationError) -> (AuthenticationResult, KeepingProblem?) {
        if let held, let account = parameters.account, try await held.accounts().contains(account) {
            let problem = problemOfHeld
            do throws(AuthenticationError) {
                return (try await held.acquireTokenSilent(with: parameters), problem)
            } catch {
                // They were moved in between.
                guard try await !held.accounts().contains(account) else { throw error }
            }
        }
        let departures = state.withLock(\.departures)
        do throws(AuthenticationError) {
            return (try await stored.acquireTokenSilent(with: parameters), nil)
        } catch {
            // The issuer has given a token; that its successor in the storage is missing is no reason to withhold it.
            guard error.code == .cacheFailed, let result = error.result else { throw error }
            let (account, problem) = (result.account.identifier, KeepingProblem(error))
            return try await turns.take { () async throws(AuthenticationError) in
                guard state.withLock({ $0.departures[account] }) == departures[account] else {
                    throw AuthenticationError(.interactionRequired, .signedOut, "the account was signed out meanwhile")
                }
                if try await memory().keepTokens(unkeptBy: error) { holds(problem) { _ in } }
                return (result, problem)
            }
        }
    }

    /// - Returns: the tokens of the account; nil for an unknown account.
    /// - Throws: when the storage cannot tell or forget them; then they all stay.
    func takeOut(_ name: String) async throws(AuthenticationError) -> RemovedTokens? {
        try await turns.take { () async throws(AuthenticationError) in try await takeOutNow(name) }
    }

    private func takeOutNow(_ name: String) async throws(AuthenticationError) -> RemovedTokens? {
        var removed: RemovedTokens?
        if let account = try await stored.account(for: name) {
            removed = try await stored.takeOut(account)
            departs(account)
        }
        guard let held, let account = try await held.account(for: name) else { return removed }
        let taken = try await held.takeOut(account)
        departs(account)
        if try await held.accounts().isEmpty { _ = state.withLock { $0.forgetHeld() } }
        return removed.map { $0 + taken } ?? taken
    }

    private func departs(_ account: Account) {
        state.withLock { $0.departures[account.identifier, default: 0] += 1 }
    }
}

/// The progress of keeping one sign-in's tokens, for the task that keeps them and the tasks that wait. Safe from any
/// thread.
final class KeepingCourse: Sendable {
    enum Phase {
        case early, late, over
    }

    let isOver = Signal()
    private let phase = Mutex(Phase.early)

    /// - Returns: the phase that it was in.
    func end() -> Phase {
        phase.withLock { phase in
            defer { phase = .over }
            return phase
        }
    }

    /// The time is up.
    /// - Returns: whether it is not over yet.
    func isTooLate() -> Bool {
        phase.withLock { phase in
            guard phase == .early else { return false }
            phase = .late
            return true
        }
    }
}

extension KeepingProblem {
    static func noIDToken(at issuer: String) -> KeepingProblem {
        KeepingProblem(
            .noIDToken, "the issuer gave no ID token, so nobody can tell whose the tokens are",
            remedy: "ask for the scope openid, or write account: at the issuer \"\(issuer)\" if it makes no ID tokens")
    }

    static func slow(_ time: Duration) -> KeepingProblem {
        KeepingProblem(.slow, "the storage has not answered within \(time)", remedy: "look for what comes of it")
    }

    init(_ error: AuthenticationError) {
        guard let error = error.underlyingError as? TokenStorageError else {
            self.init(.unusable, error.message, remedy: "look at the app's registration and at the issuer")
            return
        }
        let reason: Reason =
            switch error.kind {
            case .locked: .locked
            case .unavailable: .unavailable
            case .denied: .denied
            case .tooLarge: .tooLarge
            case .corrupt: .unreadable
            default: .failed
            }
        self.init(reason, error.message, remedy: error.remedy)
    }
}
