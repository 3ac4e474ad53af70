internal import SwitchyardReactor
internal import Synchronization

/// One refresh at a time for each token, however many callers wait for it. Safe from any thread.
final class RefreshQueue: Sendable {
    struct Key: Hashable, Sendable {
        let account: AccountKey
        let authority: Authority
        let scopes: [String]
        let claims: ClaimsRequest?
    }

    private typealias Outcome = Result<AuthenticationResult, AuthenticationError>

    private let running = Mutex<[Key: Promise<Result<AuthenticationResult, AuthenticationError>>]>([:])

    /// The outcome of `work`, or of the same work that runs already. Canceling one caller leaves it to the others.
    func run(
        _ key: Key, on runtime: ClientRuntime,
        _ work: @escaping @Sendable () async throws(AuthenticationError) -> AuthenticationResult
    ) async throws(AuthenticationError) -> AuthenticationResult {
        let (promise, isMine) = running.withLock { running in
            if let promise = running[key] { return (promise, false) }
            let promise = Promise<Result<AuthenticationResult, AuthenticationError>>()
            running[key] = promise
            return (promise, true)
        }
        if isMine {
            runtime.loop.start { [self] in
                let outcome: Outcome
                do throws(AuthenticationError) {
                    outcome = .success(try await work())
                } catch {
                    outcome = .failure(error)
                }
                running.withLock { $0[key] = nil }
                promise.fulfil(outcome)
            }
        }
        return try await runtime.run { () async throws(AuthenticationError) in
            try await Deadline.value(of: promise, before: .never).get()
        }
    }
}
