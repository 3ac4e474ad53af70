public import SwitchyardConfiguration
public import SwitchyardCrypto
public import SwitchyardOAuth
public import SwitchyardReactor
public import SwitchyardRedemption
public import SwitchyardRouting

/// The keeper of tokens for the programs of this user, if the gateway is that user's agent. Safe from any thread.
public protocol LocalAgent: ResourceKeeper {
    /// The apps are those of this configuration from now on; called at the beginning, and with each one that is taken.
    func adopt(_ configuration: Configuration)

    /// Keeps tokens that the gateway has redeemed and verified. When this returns, a waiting program gets them.
    /// - Parameters:
    ///   - requested: the scopes that were asked for.
    ///   - tell: called when the tokens cannot be kept, or not in time, and when they are kept after all; also much
    ///     later, on any loop.
    func keep(
        _ tokens: RedeemedTokens, of app: AppRegistration, requested: Scopes,
        telling tell: @escaping @Sendable (KeepingNews) -> Void
    ) async

    /// Whether it has tokens in this process's memory alone, which would be lost with it.
    var isHoldingTokens: Bool { get }

    /// The `use_from` lists of all apps that share the app's token cache; empty if any program of this user may use it.
    func lists(for app: AppRegistration) -> [UseFrom]

    /// The file that may hold another list for the app's tokens, but cannot be read; nil if every list is known.
    func unknownLists(for app: AppRegistration) -> UnknownLists?

    /// Why a program of this user may not use tokens that these lists guard; nil if each list names it.
    /// - Parameter program: nil when it has ended.
    func refusal(of program: PeerProcess?, by lists: [UseFrom]) -> ProgramRefusal?

    /// The share of a program of this user in the limits.
    /// - Parameter program: nil when it has ended.
    func programKey(of program: PeerProcess?) -> ProgramKey

    // The calls of a program that may make them. Only from a task of a loop.

    /// Gives a token of the app, from the cache or by a refresh.
    func token(_ query: TokenQuery, of app: AppRegistration) async throws(AgentRefusal) -> AgentToken

    /// Makes the header fields of one request with a token of the app.
    func proof(_ query: ProofQuery, of app: AppRegistration) async throws(AgentRefusal) -> AgentProof

    /// Lists the accounts that are signed in to the app.
    func accounts(of app: AppRegistration) async throws(AgentRefusal) -> AgentAccounts

    /// Takes an account's tokens away, and has the issuer revoke its refresh tokens.
    func removeAccount(_ id: String, of app: AppRegistration) async throws(AgentRefusal) -> TokenRevocation
}

/// Why a program may not come to an app's tokens.
public struct ProgramRefusal: Sendable {
    /// The name of the program as the agent saw it: its file, or its sandbox.
    public let program: String
    public let reason: String

    public init(program: String, reason: String) {
        self.program = program
        self.reason = reason
    }
}

/// The token that a program asks its user's agent for.
public struct TokenQuery: Sendable {
    /// The app's default if the call has no scope.
    public let scope: Scopes
    /// An identifier, or a user name; nil for the only account.
    public let account: String?
    public let forcesRefresh: Bool
    /// JSON.
    public let claims: String?
    /// Whether the response has the ID token too.
    public let wantsIDToken: Bool
    /// The demands of a resource on a new sign-in; nil if the tokens of the last one will do.
    public let stepUp: StepUp?
}

/// The one request of a program to an API, with a token of its user's agent.
public struct ProofQuery: Sendable {
    public let token: TokenQuery
    public let method: String
    /// Without query and fragment.
    public let url: String
    /// The last one of that API; nil without one.
    public let nonce: String?
}

/// The header fields of one request.
public struct AgentProof: Sendable {
    /// `DPoP`; nil for a bearer token.
    public let proof: Secret?
    public let authorization: Secret

    public init(proof: Secret?, authorization: Secret) {
        self.proof = proof
        self.authorization = authorization
    }
}

/// A token that an agent gives to a program.
public struct AgentToken: Sendable {
    public let accessToken: Secret
    public let type: String
    /// Seconds since 1970.
    public let expiresOn: Int64
    public let scopes: [String]
    public let account: AgentAccount
    /// nil for a query that wants none. The expiry is in seconds since 1970.
    public let idToken: (text: Secret, expiresOn: Int64)?
    /// The reason why the account's tokens are in memory alone; nil if they are stored.
    public let notKept: KeepingProblem?

    public init(
        _ accessToken: Secret, type: String, expiresOn: Int64, scopes: [String], account: AgentAccount,
        idToken: (text: Secret, expiresOn: Int64)?, notKept: KeepingProblem?
    ) {
        self.accessToken = accessToken
        self.type = type
        self.expiresOn = expiresOn
        self.scopes = scopes
        self.account = account
        self.idToken = idToken
        self.notKept = notKept
    }
}

/// An account that has signed in to an app.
public struct AgentAccount: Hashable, Sendable {
    public let id: String
    public let username: String?
    public let name: String?
    public let environment: String
    public let tenantID: String?

    public init(id: String, username: String?, name: String?, environment: String, tenantID: String?) {
        self.id = id
        self.username = username
        self.name = name
        self.environment = environment
        self.tenantID = tenantID
    }
}

/// The accounts that are signed in to an app.
public struct AgentAccounts: Sendable {
    public let accounts: [AgentAccount]
    /// The reason why some tokens are in memory alone; nil if all are stored.
    public let notKept: KeepingProblem?

    public init(_ accounts: [AgentAccount], notKept: KeepingProblem?) {
        self.accounts = accounts
        self.notKept = notKept
    }
}

/// A sign-in for `POST /v1/requests`, after which an agent has the tokens.
public struct SignInProposal: Sendable {
    public let app: AppID
    /// The subject of the sign-in in place of the app; nil for an app.
    public var resource: ResourceProposal?
    public let scope: Scopes
    public let loginHint: String?
    /// JSON.
    public let claims: String?
    public let stepUp: StepUp?

    public init(app: AppID, scope: Scopes, loginHint: String?, claims: String?, stepUp: StepUp?) {
        self.app = app
        self.scope = scope
        self.loginHint = loginHint
        self.claims = claims
        self.stepUp = stepUp
    }
}

/// The members of a sign-in to a resource that one to an app has not.
public struct ResourceProposal: Sendable {
    /// The URL that was asked for.
    public let resource: ResourceURL
    /// The scopes of the sign-in before.
    public let previous: Scopes
    /// The field with which the resource has refused a call; nil without one.
    public let challenge: String?
}
