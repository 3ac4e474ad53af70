internal import SwitchyardClient
public import SwitchyardConfiguration
public import SwitchyardGateway
internal import SwitchyardHTTP
internal import SwitchyardJSON
public import SwitchyardOAuth
public import SwitchyardReactor
public import SwitchyardRedemption
public import SwitchyardRouting
public import SwitchyardTokenStorage
internal import Synchronization

/// Keeps tokens for the programs of one user, and gives them out: the client library behind the gateway's API.
///
/// There is one truth: what a sign-in through the agent brought is in the cache before anybody is told of it, and whoever needs
/// tokens asks for them. Apps of one client ID share their accounts. Safe from any thread.
public final class Agent: LocalAgent {
    /// What two apps have in common whose tokens are the same.
    private struct Client: Hashable {
        let issuer: IssuerConfiguration
        let clientID: String
        let authentication: ClientAuthentication
    }

    private struct State {
        var configuration: Configuration?
        var applications: [Client: PublicClientApplication] = [:]
    }

    private let state = Mutex(State())
    private let place: StoragePlace

    /// How long the end of a sign-in waits for a keyring.
    private static let keepingTime = Duration.seconds(5)

    /// - Parameter place: where tokens are kept.
    public init(keeping place: StoragePlace = .automatic()) {
        self.place = place
    }

    public func use(_ configuration: Configuration) {
        let clients = Set(configuration.apps.compactMap { Self.client(of: $0, in: configuration) })
        state.withLock { state in
            state.configuration = configuration
            state.applications = state.applications.filter { clients.contains($0.key) }
        }
    }

    public func keep(_ tokens: RedeemedTokens, of app: AppRegistration, requested: Scopes) async {
        // Without an ID token nobody knows whose they are.
        guard app.useFrom?.isNobody != true, tokens.idTokenClaims != nil, let loop = EventLoop.current else { return }
        let isKept = Signal()
        loop.start { [self] in
            _ = try? await application(of: app).keep(tokens, requested: requested)
            isKept.raise()
        }
        _ = await isKept.wait(until: .now() + Self.keepingTime)
    }

    public func refusal(of program: PeerProcess?, by rule: UseFrom) -> ProgramRefusal? {
        rule.refusal(of: program)
    }

    public func answer(_ call: AgentCall, for app: AppRegistration) async -> AgentAnswer {
        do throws(AuthenticationError) {
            let application = try application(of: app)
            switch call {
            case .accounts:
                let accounts = try await application.accounts()
                return AgentAnswer(.ok, ["accounts": .array(accounts.map { .object($0.json) })])
            case .removeAccount(let id):
                guard let account = try await application.account(for: id) else {
                    return .error(.notFound, "not_found", "there is no such account")
                }
                let tokens = try await application.takeOut(account)
                return AgentAnswer(revocation: await revocation(of: tokens, by: application))
            case .token(let scope, let name, let forcesRefresh, let claims):
                let wish = Wish(app: app, scope: scope, name: name, forcesRefresh: forcesRefresh, claims: claims)
                return try await token(wish, application)
            }
        } catch {
            return AgentAnswer(error)
        }
    }

    /// How long the end of a sign-out waits for the issuer, which may go on behind it.
    private static let revocationTime = Duration.seconds(8)

    private func revocation(
        of tokens: RemovedTokens, by application: PublicClientApplication
    ) async -> AgentAnswer.Revocation {
        guard let loop = EventLoop.current else { return .nothing }
        let note = RevocationNote()
        loop.start {
            let outcome = AgentAnswer.Revocation(await application.revoke(tokens))
            note.outcome.withLock { $0 = outcome }
            note.isThere.raise()
        }
        _ = await note.isThere.wait(until: .now() + Self.revocationTime)
        return note.outcome.withLock(\.self)
    }

    // MARK: Tokens

    fileprivate struct Wish {
        let app: AppRegistration
        let scope: Scopes
        let name: String?
        let forcesRefresh: Bool
        let claims: String?
    }

    private func token(
        _ wish: Wish, _ application: PublicClientApplication
    ) async throws(AuthenticationError) -> AgentAnswer {
        let account: Account
        if let name = wish.name {
            guard let found = try await application.account(for: name) else {
                return .interactionRequired(wish.request(name), "nobody with the account \"\(name)\" has signed in")
            }
            account = found
        } else {
            let accounts = try await application.accounts()
            guard accounts.count < 2 else { return .accountRequired(accounts) }
            guard let only = accounts.first else {
                return .interactionRequired(wish.request(nil), "nobody has signed in")
            }
            account = only
        }
        var parameters = SilentTokenParameters(
            scopes: wish.scope.names.filter { !Self.automatic.contains($0) }, account: account,
            forceRefresh: wish.forcesRefresh)
        parameters.mayBeWithoutScopes = true
        if let claims = wish.claims {
            guard let request = try? ClaimsRequest(json: claims) else {
                return .error(.badRequest, "invalid_request", "\"claims\" is no claims request")
            }
            parameters.claims = request
        }
        do throws(AuthenticationError) {
            let result = try await application.acquireTokenSilent(with: parameters)
            return AgentAnswer(
                .ok,
                [
                    "access_token": .string(result.accessToken), "token_type": "Bearer",
                    "expires_on": .integer(result.expiresOn.secondsSince1970),
                    "granted_scopes": .array(result.scopes.map { .string($0) }),
                    "account": .object(result.account.json),
                ])
        } catch {
            guard error.code == .interactionRequired else { throw error }
            var request = wish.request(account.username ?? wish.name)
            request["claims"] = error.claims.map { .string($0.json) } ?? request["claims"]
            return .interactionRequired(request, error.message)
        }
    }

    /// Always asked for.
    private static let automatic = Scopes(parsing: "openid profile offline_access")

    // MARK: Applications

    private static func client(of app: AppRegistration, in configuration: Configuration) -> Client? {
        configuration.issuer(of: app).map {
            Client(issuer: $0, clientID: app.clientID, authentication: app.clientAuthentication)
        }
    }

    private func application(of app: AppRegistration) throws(AuthenticationError) -> PublicClientApplication {
        let made = state.withLock { state -> Result<PublicClientApplication, AuthenticationError> in
            guard let configuration = state.configuration, let client = Self.client(of: app, in: configuration) else {
                return .failure(AuthenticationError(.invalidConfiguration, nil, "the app's issuer is not set up"))
            }
            if let known = state.applications[client] { return .success(known) }
            do throws(AuthenticationError) {
                let application = try PublicClientApplication(
                    configuration: try Self.settings(client, app, configuration, place))
                state.applications[client] = application
                return .success(application)
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
            switch client.issuer.source {
            case .discovery(let url) where url.isSecure: authority = try Authority(url.text)
            case .discovery, .configured:
                authority = try .oidc(
                    issuer: client.issuer.issuer, allowingLoopbackHTTP: configuration.allowsLoopbackHTTP)
            }
        } catch {
            throw AuthenticationError(.invalidConfiguration, nil, "the issuer \"\(client.issuer.name)\": \(error)")
        }
        // Nobody signs in by it: that is the gateway's part.
        var settings = PublicClientApplicationConfiguration(
            clientID: client.clientID, bundleID: app.id.text, redirectURI: "http://127.0.0.1", authority: authority)
        settings.cache = TokenCacheConfiguration(place: place)
        settings.trustAnchor = client.issuer.certificateAuthority
        settings.allowsLoopbackHTTP = configuration.allowsLoopbackHTTP
        settings.issuerTimeout = min(max(configuration.limits.issuerTimeout, .seconds(1)), .seconds(120))
        settings.clientAuthentication = client.authentication
        if case .configured(let metadata) = client.issuer.source { settings.metadata = metadata }
        return settings
    }
}

/// What an issuer made of a revocation, once it has.
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

extension Agent.Wish {
    /// What `POST /v1/requests` needs, so that these tokens are there afterwards.
    fileprivate func request(_ loginHint: String?) -> JSONObject {
        let scope = Scopes(parsing: "\(scope.text) openid profile offline_access")
        var request: JSONObject = ["app": .string(app.id.text), "scope": .string(scope.text)]
        request["login_hint"] = loginHint.map { .string($0) }
        request["claims"] = claims.map { .string($0) }
        return request
    }
}

extension Account {
    fileprivate var json: JSONObject {
        var object: JSONObject = ["id": .string(identifier)]
        object["username"] = username.map { .string($0) }
        object["name"] = name.map { .string($0) }
        object["environment"] = .string(environment)
        object["tenant_id"] = tenantID.map { .string($0) }
        return object
    }
}

extension AgentAnswer {
    fileprivate static func error(_ status: Status, _ error: String, _ description: String) -> AgentAnswer {
        AgentAnswer(status, ["error": .string(error), "error_description": .string(description)])
    }

    fileprivate static func interactionRequired(_ request: JSONObject, _ reason: String) -> AgentAnswer {
        AgentAnswer(
            .unauthorized,
            [
                "error": "interaction_required",
                "error_description": .string("\(reason): the person has to sign in, by POST /v1/requests"),
                "request": .object(request),
            ])
    }

    fileprivate static func accountRequired(_ accounts: [Account]) -> AgentAnswer {
        AgentAnswer(
            .badRequest,
            [
                "error": "account_required",
                "error_description": "several people have signed in: name one of them as \"account\"",
                "accounts": .array(accounts.map { .object($0.json) }),
            ])
    }

    /// Why there is no token.
    fileprivate init(_ failure: AuthenticationError) {
        var body: JSONObject = [
            "error": .string(failure.code.rawValue), "error_description": .string("\(IssuerText(failure.message))"),
        ]
        if failure.code == .serverDeclinedScopes {
            body["granted_scopes"] = .array(failure.grantedScopes.map { .string($0) })
            body["declined_scopes"] = .array(failure.declinedScopes.map { .string($0) })
        }
        if failure.internalCode == .ambiguousAccount { body["error"] = "account_required" }
        if failure.code == .invalidParameter, failure.internalCode != .ambiguousAccount {
            body["error"] = "invalid_request"
        }
        let status: Status =
            switch failure.code {
            case .invalidParameter, .serverDeclinedScopes, .invalidScope, .invalidGrant, .invalidRequest,
                .unauthorizedClient, .accessDenied, .authorizationFailed, .serverProtectionPoliciesRequired,
                .insufficientDeviceStrength, .workplaceJoinRequired, .passwordResetRequired:
                .badRequest
            case .throttled: .tooManyRequests
            case .temporarilyUnavailable, .cacheFailed: .serviceUnavailable
            case .invalidConfiguration, .internal: .internalServerError
            default: failure.isFromThrottling ? .tooManyRequests : .badGateway
            }
        self.init(status, body, retryAfter: failure.retryAfter)
    }
}
