internal import SwitchyardClient
public import SwitchyardConfiguration
public import SwitchyardGateway
internal import SwitchyardHTTPClient
public import SwitchyardOAuth
public import SwitchyardReactor
public import SwitchyardRedemption
public import SwitchyardRouting
public import SwitchyardTokenStorage
internal import Synchronization

/// Keeps tokens for the programs of one user, and gives them out: the client library behind the gateway's API.
///
/// The cache is the only truth: it holds the tokens of a sign-in before the app is told, and programs ask for tokens
/// each time. Apps of one client ID share their accounts. Safe from any thread.
public final class Agent: LocalAgent {
    /// The key under which apps share their tokens.
    private struct Client: Hashable {
        let issuer: IssuerConfiguration
        let clientID: String
        let authentication: ClientAuthentication
        let decryption: TokenDecryption?
        let bindsTokens: Bool
        let route: OutgoingRoute
    }

    private struct State {
        var configuration: Configuration?
        var lists: UseFromLists?
        var tokens: [Client: ClientTokens] = [:]
        /// How many sign-ins' tokens are on their way to where they are kept.
        var underWay = 0
        /// Is fulfilled when there are none.
        var idle: Promise<Void>?
    }

    /// The end of the wait for a sign-in's tokens.
    private enum KeepingEnd {
        case over
        /// The time was over first.
        case late
    }

    private let state = Mutex(State())
    private let place: StoragePlace
    private let tellPerson: @Sendable (KeepingProblem) async -> Void
    let vault: ResourceVault
    let renewals = Renewals()

    /// How long the end of a sign-in waits for a keyring.
    private static let keepingTime = Duration.seconds(5)

    /// - Parameters:
    ///   - place: where tokens are kept.
    ///   - tellPerson: is called, on a loop, when that place stops to take tokens.
    public convenience init(
        keeping place: StoragePlace = .automatic(),
        tellingPerson tellPerson: @escaping @Sendable (KeepingProblem) async -> Void = { _ in }
    ) {
        let resources = OpenedStorage(place, name: "switchyard resources")
        self.init(keeping: place, resources: resources, tellingPerson: tellPerson)
    }

    /// - Parameter resources: the storage for tokens of resources.
    init(
        keeping place: StoragePlace, resources: OpenedStorage,
        tellingPerson tellPerson: @escaping @Sendable (KeepingProblem) async -> Void
    ) {
        self.place = place
        self.tellPerson = tellPerson
        vault = ResourceVault(resources, tellingPerson: tellPerson)
    }

    /// Adopts a new configuration. Drops clients that it no longer has, except those with tokens that only this process
    /// holds. Safe from any thread.
    public func adopt(_ configuration: Configuration) {
        let clients = Set(configuration.apps.compactMap { Self.client(of: $0, in: configuration) })
        let lists = UseFromLists(configuration)
        state.withLock { state in
            state.configuration = configuration
            state.lists = lists
            state.tokens = state.tokens.filter { clients.contains($0.key) || $0.value.isHolding }
        }
    }

    /// Whether there are tokens that would be lost with this process. Safe from any thread.
    public var isHoldingTokens: Bool {
        vault.problem != nil || state.withLock { $0.underWay > 0 || $0.tokens.values.contains(where: \.isHolding) }
    }

    /// Tries a last time to store the tokens that only this process has, before it ends. Only from a task of a loop,
    /// which it holds up for at most three seconds.
    public func keepHeldTokens() async {
        guard isHoldingTokens, let loop = EventLoop.current else { return }
        let all = state.withLock { $0.tokens.values.filter(\.isHolding) }
        let end = Promise<Void>()
        loop.start { [self] in
            await vault.move()
            for tokens in all { await tokens.unsaved.move() }
            let idle = state.withLock { state -> Promise<Void>? in
                guard state.underWay > 0 else { return nil }
                let idle = state.idle ?? Promise()
                state.idle = idle
                return idle
            }
            await idle?.value
            end.fulfil(())
        }
        _ = await end.value(until: .now() + .seconds(3))
    }

    /// Saves the tokens of a sign-in with those of the app's client. Waits a few seconds for the storage, then
    /// continues in the background. Only from a task of a loop.
    /// - Parameters:
    ///   - requested: the scopes that the sign-in asked for.
    ///   - tell: called with the result, at once or later; never if every program is refused the app's tokens.
    public func keep(
        _ tokens: RedeemedTokens, of app: AppRegistration, requested: Scopes,
        telling tell: @escaping @Sendable (KeepingNews) -> Void
    ) async {
        guard !lists(for: app).contains(where: \.isNobody), let loop = EventLoop.current else { return }
        let own: ClientTokens
        do throws(AuthenticationError) {
            own = try self.tokens(of: app)
        } catch {
            return tell(.notKept(KeepingProblem(error)))
        }
        guard tokens.idTokenClaims != nil || tokens.identity != nil else {
            return own.cannotKeep(.noIDToken(at: app.issuer), tell)
        }
        let end = Promise<KeepingEnd>()
        state.withLock { $0.underWay += 1 }
        loop.start { [self] in
            let isKept = await own.save(tokens, requested: requested, telling: tell)
            endKeeping()
            if !end.fulfil(.over), isKept { tell(.kept) }
        }
        // It continues in the background, and calls for the tokens wait for it in their storage.
        if await end.value(until: .now() + Self.keepingTime) == nil, end.fulfil(.late) {
            tell(.notKept(.slow(Self.keepingTime)))
        }
    }

    private func endKeeping() {
        let idle = state.withLock { state -> Promise<Void>? in
            state.underWay -= 1
            guard state.underWay == 0 else { return nil }
            defer { state.idle = nil }
            return state.idle
        }
        idle?.fulfil(())
    }

    /// The lists of all apps that share the app's token cache. Safe from any thread.
    public func lists(for app: AppRegistration) -> [UseFrom] {
        let own = app.useFrom.map { [$0] } ?? []
        if let resource = app.resource { return resource.url.map { lists(of: $0) } ?? own }
        return state.withLock { state in
            guard let configuration = state.configuration, let issuer = configuration.issuer(of: app),
                let lists = state.lists
            else { return own }
            let key = TokenCacheKey(
                issuer, clientID: app.clientID, allowsLoopbackHTTP: configuration.allowsLoopbackHTTP)
            // The caller may still have the app of an earlier configuration.
            return lists[key] + own.filter { !lists[key].contains($0) }
        }
    }

    /// The lists of all entries of `resources` whose tokens may be tokens for this one. Safe from any thread.
    public func lists(of resource: ResourceURL) -> [UseFrom] {
        state.withLock { $0.configuration?.routes.lists(of: resource) ?? [] }
    }

    public func unknownLists(for app: AppRegistration) -> UnknownLists? {
        state.withLock { state in
            state.configuration?.unknownLists.first { $0.clientIDs.contains(app.clientID) }
        }
    }

    /// The reason why a program may not use tokens that these lists guard; nil if each list names it.
    /// - Parameter program: the caller, as its socket says; nil when that is not known.
    public func refusal(of program: PeerProcess?, by lists: [UseFrom]) -> ProgramRefusal? {
        guard let program, let identity = ProgramIdentity(program) else {
            return ProgramRefusal(program: "a program that has ended", reason: "its identity is no longer known")
        }
        return lists.lazy.compactMap { $0.refusal(of: identity) }.first
            .map { ProgramRefusal(program: identity.seen, reason: $0) }
    }

    /// The key of a program in the limits. All programs that the kernel hides, and all in unknown containers, have one together.
    public func programKey(of program: PeerProcess?) -> ProgramKey {
        guard let program, let identity = ProgramIdentity(program) else { return ProgramKey("ended") }
        return ProgramKey(identity.limitKey)
    }

    // MARK: Clients

    private static func client(of app: AppRegistration, in configuration: Configuration) -> Client? {
        configuration.issuer(of: app).map {
            Client(
                issuer: $0, clientID: app.clientID, authentication: app.clientAuthentication,
                decryption: app.tokenHandling.decryption, bindsTokens: app.tokenHandling.binding == .required,
                route: configuration.route)
        }
    }

    func tokens(of app: AppRegistration) throws(AuthenticationError) -> ClientTokens {
        let made = state.withLock { state -> Result<ClientTokens, AuthenticationError> in
            guard let configuration = state.configuration, let client = Self.client(of: app, in: configuration) else {
                return .failure(AuthenticationError(.invalidConfiguration, nil, "the app's issuer is not set up"))
            }
            if let known = state.tokens[client] { return .success(known) }
            do throws(AuthenticationError) {
                let tokens = try ClientTokens(
                    try Self.settings(client, app, configuration, place), tellingPerson: tellPerson)
                state.tokens[client] = tokens
                return .success(tokens)
            } catch {
                return .failure(error)
            }
        }
        return try made.get()
    }

    private static func settings(
        _ client: Client, _ app: AppRegistration, _ configuration: Configuration, _ place: StoragePlace
    ) throws(AuthenticationError) -> PublicClientApplicationConfiguration {
        let authority: Authority
        do throws(AuthorityError) {
            authority = try client.issuer.authority(allowsLoopbackHTTP: configuration.allowsLoopbackHTTP)
        } catch {
            throw AuthenticationError(.invalidConfiguration, nil, "the issuer \"\(client.issuer.name)\": \(error)")
        }
        // The redirect URI is unused: the gateway does the sign-ins.
        var settings = PublicClientApplicationConfiguration(
            clientID: client.clientID, bundleID: app.id.text, redirectURI: "http://127.0.0.1", authority: authority)
        settings.cache = TokenCacheConfiguration(place: place)
        settings.trustAnchor = client.issuer.trustAnchor?.path
        settings.proxy = .checked(client.route)
        settings.allowsLoopbackHTTP = configuration.allowsLoopbackHTTP
        settings.issuerTimeout = min(max(configuration.limits.issuerTimeout, .seconds(1)), .seconds(120))
        settings.clientAuthentication = client.authentication
        settings.decryption = client.decryption
        settings.bindsTokens = client.bindsTokens
        settings.profile = client.issuer.profile
        if case .configured(let metadata) = client.issuer.source { settings.metadata = metadata }
        return settings
    }
}
