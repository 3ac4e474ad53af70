internal import SwitchyardHTTPClient
internal import SwitchyardReactor
internal import SwitchyardRedemption

/// The threads of this library in a process: a loop for the network, and two for blocking work, the storage of tokens
/// and the desktop's programs. Safe from any thread.
///
/// All applications share them. The first application starts them, and they never stop: idle threads sleep.
final class ClientRuntime: Sendable {
    /// Runs everything that talks to issuers, gateways and browsers: one loop.
    let group: EventLoopGroup
    var loop: EventLoop { group.loops[0] }
    /// On ``loop``.
    let redeemer: Redeemer
    let issuers = IssuerCatalog()
    /// On ``loop``; for gateways.
    let client: HTTPClient
    /// On ``loop``.
    let loopbackPorts: LoopbackPorts
    /// May block: a keyring can ask the person for its password.
    private let storageLoop: EventLoop
    /// Waits for other programs, such as the one that opens the browser.
    private let desktopLoop: EventLoop

    /// nil when the process may open no more files, or have no more threads.
    static let shared: ClientRuntime? = try? ClientRuntime()

    private init() throws(SystemError) {
        group = try EventLoopGroup(count: 1)
        let storage = try EventLoopGroup(count: 2)
        storageLoop = storage.loops[0]
        desktopLoop = storage.loops[1]
        redeemer = Redeemer(loop: group.loops[0])
        client = HTTPClient(loop: group.loops[0])
        loopbackPorts = LoopbackPorts(group)
        try group.start()
        try storage.start()
    }

    /// Runs `work` on the network loop; canceling the caller cancels it.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(AuthenticationError) -> Value
    ) async throws(AuthenticationError) -> Value {
        try await loop.perform(work)
    }

    /// Runs `work`, which may block, on the storage loop: one after the other.
    func runBlocking<Value: Sendable>(
        _ work: @escaping @Sendable () throws(AuthenticationError) -> Value
    ) async throws(AuthenticationError) -> Value {
        try await storageLoop.perform { () async throws(AuthenticationError) in try work() }
    }

    /// Runs `work`, which waits for another program, on the desktop loop. A caller that cancels, or reaches its
    /// deadline, does not wait for its end. Only from a task of the network loop.
    func askDesktop<Value: Sendable>(
        before deadline: Instant, _ work: @escaping @Sendable () -> Value
    ) async throws(AuthenticationError) -> Value {
        let answer = Promise<Value>()
        desktopLoop.start { answer.fulfil(work()) }
        return try await Deadline.value(of: answer, before: deadline)
    }

    /// Calls a closure of the app away from the loops, because it may block. A caller that cancels, or reaches its
    /// deadline, does not wait for its end; the closure's task is canceled then. Only from a task of the network loop.
    func askApp<Value: Sendable>(
        before deadline: Instant, _ closure: @escaping @Sendable () async -> Value
    ) async throws(AuthenticationError) -> Value {
        let answer = Promise<Value>()
        let task = Task<Void, Never>.detached { answer.fulfil(await closure()) }
        do throws(AuthenticationError) {
            return try await Deadline.value(of: answer, before: deadline)
        } catch {
            task.cancel()
            throw error
        }
    }

    /// Runs `work` on the network loop. A caller that cancels, or reaches its deadline, does not wait for its end.
    func runDetachably<Value: Sendable>(
        before deadline: Instant = .never,
        _ work: @escaping @Sendable () async throws(AuthenticationError) -> Value
    ) async throws(AuthenticationError) -> Value {
        try await run { [loop] () async throws(AuthenticationError) in
            let outcome = Promise<Result<Value, AuthenticationError>>()
            let task = loop.start {
                do throws(AuthenticationError) {
                    outcome.fulfil(.success(try await work()))
                } catch {
                    outcome.fulfil(.failure(error))
                }
            }
            do throws(AuthenticationError) {
                return try await Deadline.value(of: outcome, before: deadline).get()
            } catch {
                task.cancel()
                throw error
            }
        }
    }
}
