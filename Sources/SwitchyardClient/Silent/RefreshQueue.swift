internal import SwitchyardOAuth
internal import SwitchyardReactor
internal import SwitchyardText
internal import Synchronization

/// One refresh at a time for each token, however many callers wait for it. Safe from any thread.
final class RefreshQueue: Sendable {
    /// The key by which two silent requests count as the same.
    struct Key: Hashable, Sendable {
        let account: AccountKey
        let authority: Authority
        let scopes: [String]
        let claims: ClaimsRequest?
        var passesOverCache: Bool

        init(_ request: SilentRequest) {
            account = request.account.key
            authority = request.authority
            scopes = request.scopes.names.map(\.asciiLowercased).sorted()
            claims = request.claims
            passesOverCache = request.passesOverCache
        }
    }

    private struct State {
        var running: [Key: Promise<Result<AuthenticationResult, AuthenticationError>>] = [:]
        /// When the last token of each ends.
        var ends: [Key: UnixTime] = [:]
    }

    private let state = Mutex(State())

    /// More than that are not remembered.
    private static let maximumEnds = 1000

    /// Whether the last token of this request should still hold; only the storage knows.
    func isProbablyGood(_ key: Key, at now: UnixTime, buffer: Int64) -> Bool {
        let end = state.withLock { $0.ends[key] }
        return end.map { !$0.countsAsExpired(at: now, buffer: buffer) } ?? false
    }

    /// The outcome of `work`, or of the same work that runs already. Canceling one caller leaves it to the others.
    func run(
        _ key: Key, on runtime: ClientRuntime,
        _ work: @escaping @Sendable () async throws(AuthenticationError) -> AuthenticationResult
    ) async throws(AuthenticationError) -> AuthenticationResult {
        let (promise, isMine) = state.withLock { state in
            if let promise = state.running[key] { return (promise, false) }
            let promise = Promise<Result<AuthenticationResult, AuthenticationError>>()
            state.running[key] = promise
            return (promise, true)
        }
        if isMine {
            runtime.loop.start { [self] in
                let outcome: Result<AuthenticationResult, AuthenticationError>
                do throws(AuthenticationError) {
                    outcome = .success(try await work())
                } catch {
                    outcome = .failure(error)
                }
                end(key, with: try? outcome.get().expiresOn)
                promise.fulfil(outcome)
            }
        }
        return try await runtime.run { () async throws(AuthenticationError) in
            try await Deadline.value(of: promise, before: .never).get()
        }
    }

    private func end(_ key: Key, with end: UnixTime?) {
        state.withLock { state in
            state.running[key] = nil
            if state.ends.count >= Self.maximumEnds { state.ends = [:] }
            // The next caller that asks the cache finds it as well.
            var cached = key
            cached.passesOverCache = false
            state.ends[cached] = end
        }
    }
}
