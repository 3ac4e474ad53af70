internal import SwitchyardClient
public import SwitchyardConfiguration
public import SwitchyardGateway
internal import SwitchyardHTTP
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
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
        let route: OutgoingRoute
    }

    private struct State {
        var configuration: Configuration?
        var lists: UseFromLists?
        var tokens: [Client: ClientTokens] = [:]
        /// How many sign-ins' tokens are on their way to where they are kept.
        var underWay = 0
    }

    private let state = Mutex(State())
    private let place: StoragePlace
    private let tellPerson: @Sendable (KeepingProblem) async -> Void

    /// How long the end of a sign-in waits for a keyring.
    private static let keepingTime = Duration.seconds(5)

    /// - Parameters:
    ///   - place: where tokens are kept.
    ///   - tellPerson: is called, on a loop, when that place stops to take tokens.
    public init(
        keeping place: StoragePlace = .automatic(),
        tellingPerson tellPerson: @escaping @Sendable (KeepingProblem) async -> Void = { _ in }
    ) {
        self.place = place
        self.tellPerson = tellPerson
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
        state.withLock { $0.underWay > 0 || $0.tokens.values.contains(where: \.isHolding) }
    }

    /// Tries a last time to store the tokens that only this process has, before it ends. Only from a task of a loop,
    /// which it holds up for at most three seconds.
    public func keepHeldTokens() async {
        guard isHoldingTokens, let loop = EventLoop.current else { return }
        let all = state.withLock { $0.tokens.values.filter(\.isHolding) }
        let isOver = Signal()
        loop.start { [self] in
            for tokens in all { await tokens.moveHeld() }
            while state.withLock({ $0.underWay > 0 }) { await EventLoop.sleep(until: .now() + .milliseconds(50)) }
            isOver.raise()
        }
        _ = await isOver.wait(until: .now() + .seconds(3))
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
        let course = KeepingCourse()
        state.withLock { $0.underWay += 1 }
        loop.start { [self] in
            let isKept = await own.keep(tokens, requested: requested, telling: tell)
            state.withLock { $0.underWay -= 1 }
            if course.end() == .late, isKept { tell(.kept) }
            course.isOver.raise()
        }
        // It continues in the background, and calls for the tokens wait for it in their storage.
        if await !course.isOver.wait(until: .now() + Self.keepingTime), course.isTooLate() {
            tell(.notKept(.slow(Self.keepingTime)))
        }
    }

    /// The lists of all apps that share the app's token cache. Safe from any thread.
    public func lists(for app: AppRegistration) -> [UseFrom] {
        let own = app.useFrom.map { [$0] } ?? []
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

    /// The share of a program in the limits. All programs that the kernel hides, and all in unknown containers, have one together.
    public func share(of program: PeerProcess?) -> ProgramShare {
        guard let program, let identity = ProgramIdentity(program) else { return ProgramShare("ended") }
        return ProgramShare(identity.share)
    }

    /// Answers a call of a program that may use the app's tokens. Asks the issuer if necessary. Only from a task of a
    /// loop.
    public func answer(_ call: AgentCall, for app: AppRegistration) async -> AgentAnswer {
        do throws(AuthenticationError) {
            let tokens = try tokens(of: app)
            switch call {
            case .accounts:
                let accounts = try await tokens.accounts()
                var body: JSONObject = ["accounts": .array(accounts.map { .object($0.json) })]
                body["not_kept"] = tokens.problemOfHeld.map { .string("\($0.detail); \($0.remedy)") }
                return AgentAnswer(.ok, body)
            case .removeAccount(let id):
                guard let removed = try await tokens.takeOut(id) else {
                    return .error(.notFound, "not_found", "there is no such account")
                }
                return AgentAnswer(revocation: await revocation(of: removed, by: tokens))
            case .token(let scope, let name, let forcesRefresh, let claims, let wantsIDToken):
                let wish = Wish(
                    app: app, scope: scope, name: name, forcesRefresh: forcesRefresh, claims: claims,
                    wantsIDToken: wantsIDToken)
                return try await token(wish, tokens)
            }
        } catch {
            return AgentAnswer(error)
        }
    }

    /// How long a sign-out waits for the issuer. The revocation may continue after it.
    private static let revocationTime = Duration.seconds(8)

    private func revocation(
        of removed: RemovedTokens, by tokens: ClientTokens
    ) async -> AgentAnswer.Revocation {
        guard let loop = EventLoop.current else { return .nothing }
        let note = RevocationNote()
        loop.start {
            let outcome = AgentAnswer.Revocation(await tokens.stored.revoke(removed))
            note.outcome.withLock { $0 = outcome }
            note.isThere.raise()
        }
        _ = await note.isThere.wait(until: .now() + Self.revocationTime)
        return note.outcome.withLock(\.self)
    }

    // MARK: Tokens

    struct Wish {
        let app: AppRegistration
        let scope: Scopes
        let name: String?
        let forcesRefresh: Bool
        let claims: String?
        let wantsIDToken: Bool
    }

    private func token(
        _ wish: Wish, _ tokens: ClientTokens
    ) async throws(AuthenticationError) -> AgentAnswer {
        guard !wish.wantsIDToken || tokens.stored.hasIDTokens else {
            return .error(.badRequest, "invalid_request", "\"id_token\": the app's issuer makes no ID tokens")
        }
        let account: Account
        if let name = wish.name {
            guard let found = try await tokens.account(for: name) else {
                return .interactionRequired(
                    wish.request(name, asking: tokens.automaticScopes),
                    "nobody with the account \"\(name)\" has signed in\(tokens.whyNobody)")
            }
            account = found
        } else {
            let accounts = try await tokens.accounts()
            guard accounts.count < 2 else { return .accountRequired(accounts) }
            guard let only = accounts.first else {
                return .interactionRequired(
                    wish.request(nil, asking: tokens.automaticScopes), "nobody has signed in\(tokens.whyNobody)")
            }
            account = only
        }
        var parameters = SilentTokenParameters(
            scopes: wish.scope.names.filter { !tokens.automaticScopes.contains($0) }, account: account,
            forceRefresh: wish.forcesRefresh)
        parameters.mayBeWithoutScopes = true
        if let claims = wish.claims {
            guard let request = try? ClaimsRequest(json: claims) else {
                return .error(.badRequest, "invalid_request", "\"claims\" is no claims request")
            }
            parameters.claims = request
        }
        do throws(AuthenticationError) {
            var (result, problem) = try await tokens.acquire(parameters)
            if wish.wantsIDToken {
                if result.currentIDToken == nil, !parameters.forceRefresh {
                    // A refresh brings an ID token where the issuer sends one then.
                    parameters.forceRefresh = true
                    (result, problem) = try await tokens.acquire(parameters)
                }
                guard result.currentIDToken != nil else {
                    return .interactionRequired(
                        wish.request(account.username ?? wish.name, asking: tokens.automaticScopes),
                        "the issuer gave no ID token that still counts")
                }
            }
            var body: JSONObject = [
                "access_token": .string(result.accessToken), "token_type": .string(result.tokenType),
                "expires_on": .integer(result.expiresOn.secondsSince1970),
                "granted_scopes": .array(result.scopes.map { .string($0) }),
                "account": .object(result.account.json),
            ]
            if wish.wantsIDToken, let token = result.currentIDToken {
                body["id_token"] = .string(token.text)
                body["id_token_expires_on"] = .integer(token.expiresOn.secondsSince1970)
            }
            body["not_kept"] = problem.map { .string("\($0.detail); \($0.remedy)") }
            return AgentAnswer(.ok, body)
        } catch {
            guard error.code == .interactionRequired else { throw error }
            var request = wish.request(account.username ?? wish.name, asking: tokens.automaticScopes)
            request["claims"] = error.claims.map { .string($0.json) } ?? request["claims"]
            return .interactionRequired(request, error.message)
        }
    }

    // MARK: Clients

    private static func client(of app: AppRegistration, in configuration: Configuration) -> Client? {
        configuration.issuer(of: app).map {
            Client(
                issuer: $0, clientID: app.clientID, authentication: app.clientAuthentication,
                route: configuration.route)
        }
    }

    private func tokens(of app: AppRegistration) throws(AuthenticationError) -> ClientTokens {
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
        settings.profile = client.issuer.profile
        if case .configured(let metadata) = client.issuer.source { settings.metadata = metadata }
        return settings
    }
}

/// The issuer's answer to a revocation, once it arrives.
private final class RevocationNote: Sendable {
    let isThere = Signal()
    let outcome = Mutex(
        AgentAnswer.Revocation.failed(SignInFailure(.network, description: "the issuer has not answered yet")))
}

extension AgentAnswer.Revocation {
    fileprivate init(_ revocation: TokenRevocation) {
        self =
            switch revocation {
            case .revoked: .revoked
            case .nothing: .nothing
            case .notOffered: .notOffered
            case .failed(let failure): .failed(failure)
            }
    }
}
