internal import SwitchyardClient
internal import SwitchyardGateway
internal import SwitchyardOAuth
internal import SwitchyardReactor
internal import SwitchyardRedemption
internal import Synchronization

/// The tokens of one client ID: in the user's storage or, while that fails, in this process's memory. So a locked
/// keyring or a full disk does not cost a person a second sign-in.
///
/// Safe from any thread.
final class ClientTokens: Sendable {
    typealias NewsHandler = @Sendable (KeepingNews) -> Void

    private struct State {
        /// The reason why the tokens of the latest sign-in were lost; nil if they are stored.
        var loss: KeepingProblem?
        /// How often each account was removed, by its identifier: an older task must not bring it back.
        var removals: [String: Int] = [:]
    }

    /// The application with its cache in the user's storage.
    let stored: PublicClientApplication
    let unsaved: UnsavedTokens
    private let state = Mutex(State())
    private let queue = SerialQueue()

    /// - Parameter tellPerson: is called when the storage stops to take tokens.
    init(
        _ settings: PublicClientApplicationConfiguration,
        tellingPerson tellPerson: @escaping @Sendable (KeepingProblem) async -> Void
    ) throws(AuthenticationError) {
        stored = try PublicClientApplication(configuration: settings)
        unsaved = UnsavedTokens(of: stored, queue, tellingPerson: tellPerson)
    }

    /// The scopes that are asked for in every sign-in.
    var automaticScopes: Scopes { stored.automaticScopes }

    /// Whether there is something that would be lost with this process.
    var isHolding: Bool { unsaved.problem != nil }

    /// The explanation behind "not signed in" when a sign-in took place and its tokens were lost.
    var whyNobody: String {
        guard let problem = unsaved.problem ?? state.withLock(\.loss) else { return "" }
        return ", or the tokens could not be kept: \(problem.detail); \(problem.remedy)"
    }

    // MARK: Saving

    /// - Returns: whether they are in the storage; otherwise it has been told.
    func save(_ tokens: RedeemedTokens, requested: Scopes, telling tell: @escaping NewsHandler) async -> Bool {
        await queue.run { await saveInTurn(tokens, requested, tell) }
    }

    private func saveInTurn(_ tokens: RedeemedTokens, _ requested: Scopes, _ tell: @escaping NewsHandler) async -> Bool
    {
        // Older tokens are moved first, so that they do not replace newer ones.
        if isHolding { await unsaved.moveInTurn() }
        if let problem = unsaved.problem {
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
    func cannotKeep(_ problem: KeepingProblem, _ tell: NewsHandler) {
        state.withLock { $0.loss = problem }
        tell(.notKept(problem))
    }

    private func hold(
        _ tokens: RedeemedTokens, _ requested: Scopes, _ problem: KeepingProblem, _ tell: @escaping NewsHandler
    ) async {
        do throws(AuthenticationError) {
            _ = try await unsaved.memory().keep(tokens, requested: requested)
        } catch {
            return cannotKeep(problem, tell)
        }
        hold(because: problem, tell)
    }

    private func hold(because problem: KeepingProblem, _ tell: NewsHandler? = nil) {
        state.withLock { $0.loss = nil }
        unsaved.hold(because: problem, tell)
    }

    // MARK: Using

    /// An account, and the look at the cache that has it.
    struct Found {
        let account: Account
        fileprivate let look: CacheSnapshot
        fileprivate let isUnsaved: Bool
    }

    enum Search {
        case one(Found)
        case several([Account])
        case nobody
    }

    /// Finds the account with this name, or the only one. Looks at the storage once.
    func find(_ name: String?) async throws(AuthenticationError) -> Search {
        let unsaved = try await unsaved.application?.look()
        if let name, let unsaved, let account = try unsaved.account(for: name) {
            return .one(Found(account: account, look: unsaved, isUnsaved: true))
        }
        let stored: CacheSnapshot?
        do throws(AuthenticationError) {
            stored = try await self.stored.look()
        } catch {
            // The reason why the storage shows no accounts is told with those in memory.
            guard name == nil, let unsaved, !unsaved.accounts.isEmpty else { throw error }
            stored = nil
        }
        if let name {
            guard let stored, let account = try stored.account(for: name) else { return .nobody }
            return .one(Found(account: account, look: stored, isUnsaved: false))
        }
        let accounts = Self.all(unsaved, stored)
        guard accounts.count < 2 else { return .several(accounts) }
        guard let only = accounts.first else { return .nobody }
        if let unsaved, unsaved.accounts.contains(only) {
            return .one(Found(account: only, look: unsaved, isUnsaved: true))
        }
        guard let stored else { return .nobody }
        return .one(Found(account: only, look: stored, isUnsaved: false))
    }

    private static func all(_ unsaved: CacheSnapshot?, _ stored: CacheSnapshot?) -> [Account] {
        let held = unsaved?.accounts ?? []
        return held + (stored?.accounts ?? []).filter { !held.contains($0) }
    }

    func accounts() async throws(AuthenticationError) -> [Account] {
        guard let unsaved = try await unsaved.application?.look(), !unsaved.accounts.isEmpty else {
            return try await stored.look().accounts
        }
        return Self.all(unsaved, try? await stored.look())
    }

    /// - Returns: the token, and why it is in memory alone where it is.
    func acquire(
        _ parameters: SilentTokenParameters, for found: Found
    ) async throws(AuthenticationError) -> (AuthenticationResult, KeepingProblem?) {
        if found.isUnsaved, let memory = unsaved.application {
            let problem = unsaved.problem
            do throws(AuthenticationError) {
                return (try await memory.acquireTokenSilent(with: parameters, having: found.look), problem)
            } catch {
                // They were moved in between.
                guard try await !memory.look().accounts.contains(found.account) else { throw error }
            }
        }
        let removals = state.withLock(\.removals)
        do throws(AuthenticationError) {
            if found.isUnsaved { return (try await stored.acquireTokenSilent(with: parameters), nil) }
            return (try await stored.acquireTokenSilent(with: parameters, having: found.look), nil)
        } catch {
            // The issuer has given a token; that its successor in the storage is missing is no reason to withhold it.
            guard error.code == .cacheFailed, let result = error.result else { throw error }
            let (account, problem) = (result.account.identifier, KeepingProblem(error))
            return try await queue.run { () async throws(AuthenticationError) in
                guard state.withLock({ $0.removals[account] }) == removals[account] else {
                    throw AuthenticationError(.interactionRequired, .signedOut, "the account was signed out meanwhile")
                }
                if try await unsaved.memory().keepTokens(unkeptBy: error) { hold(because: problem) }
                return (result, problem)
            }
        }
    }

    // MARK: Removing

    /// - Returns: the tokens of the account; nil for an unknown account.
    /// - Throws: when the storage cannot tell or forget them; then they all stay.
    func remove(_ name: String) async throws(AuthenticationError) -> RemovedTokens? {
        try await queue.run { () async throws(AuthenticationError) in try await removeInTurn(name) }
    }

    private func removeInTurn(_ name: String) async throws(AuthenticationError) -> RemovedTokens? {
        var removed: RemovedTokens?
        if let account = try await stored.account(for: name) {
            removed = try await stored.takeOut(account)
            count(removalOf: account)
        }
        guard let memory = unsaved.application, let account = try await memory.account(for: name) else {
            return removed
        }
        let more = try await memory.takeOut(account)
        count(removalOf: account)
        if try await memory.accounts().isEmpty { unsaved.forget() }
        return removed.map { $0 + more } ?? more
    }

    private func count(removalOf account: Account) {
        state.withLock { $0.removals[account.identifier, default: 0] += 1 }
    }
}
