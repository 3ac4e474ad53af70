internal import SwitchyardClient
internal import SwitchyardGateway
internal import SwitchyardReactor
internal import SwitchyardTokenStorage
internal import Synchronization

/// Tokens of one client ID that the storage does not take for now. They stay in this process's memory, and are moved
/// into the storage when it takes them. Safe from any thread.
final class UnsavedTokens: Sendable {
    private struct State {
        /// Has its cache in memory. Made with the first tokens, and empty most of the time.
        var application: PublicClientApplication?
        var held: Held?

        /// - Returns: the sign-ins that wait for the outcome.
        mutating func forget() -> [ClientTokens.NewsHandler] {
            defer { held = nil }
            return held?.listeners ?? []
        }
    }

    private struct Held {
        /// The reason why the storage refused them.
        var problem: KeepingProblem
        /// The sign-ins that the tokens come from.
        var listeners: [ClientTokens.NewsHandler]
    }

    private static let maximumListeners = 64

    private let stored: PublicClientApplication
    private let state = Mutex(State())
    /// One task at a time saves, moves or removes tokens: during a move they may be in both caches, or in neither.
    private let queue: SerialQueue
    private let tries: MoveTries

    init(
        of stored: PublicClientApplication, _ queue: SerialQueue,
        tellingPerson tellPerson: @escaping @Sendable (KeepingProblem) async -> Void
    ) {
        self.stored = stored
        self.queue = queue
        tries = MoveTries(tellingPerson: tellPerson)
    }

    /// The reason why there are such tokens; nil without any.
    var problem: KeepingProblem? { state.withLock(\.held?.problem) }

    /// The application that has them; nil without any.
    var application: PublicClientApplication? { state.withLock { $0.held == nil ? nil : $0.application } }

    /// The application for more of them.
    func memory() throws(AuthenticationError) -> PublicClientApplication {
        if let memory = state.withLock(\.application) { return memory }
        var settings = stored.configuration
        settings.cache = TokenCacheConfiguration(place: .memory)
        let made = try PublicClientApplication(configuration: settings)
        return state.withLock { state in
            let memory = state.application ?? made
            state.application = memory
            return memory
        }
    }

    /// ``memory()`` has tokens from now on, until the storage takes them.
    /// - Parameter tell: the handler of the sign-in that they come from; nil for refreshed tokens.
    func hold(because problem: KeepingProblem, _ tell: ClientTokens.NewsHandler? = nil) {
        state.withLock { state in
            let listeners = (state.held?.listeners ?? []) + (tell.map { [$0] } ?? [])
            state.held = Held(problem: problem, listeners: Array(listeners.suffix(Self.maximumListeners)))
        }
        tell?(.notKept(problem))
        tries.begin(because: problem, while: { [self] in self.problem != nil }, move)
    }

    /// Tries once to move them into the storage.
    func move() async { await queue.run { await moveInTurn() } }

    /// Does the same as ``move()``, within the queue.
    func moveInTurn() async {
        guard let memory = state.withLock(\.application) else { return }
        do throws(AuthenticationError) {
            guard try await stored.takeOver(from: memory) else { return }
            for tell in state.withLock({ $0.forget() }) { tell(.kept) }
        } catch {
            state.withLock { $0.held?.problem = KeepingProblem(error) }
        }
    }

    /// All of them were removed, with no word to the sign-ins.
    func forget() { _ = state.withLock { $0.forget() } }
}
