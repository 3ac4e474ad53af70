public import SwitchyardConfiguration
public import SwitchyardHTTP
public import SwitchyardJSON
public import SwitchyardOAuth
public import SwitchyardReactor
public import SwitchyardRedemption
public import SwitchyardRouting

/// The keeper of tokens for the programs of this user, if the gateway is that user's agent. Safe from any thread.
public protocol LocalAgent: Sendable {
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

    /// A call of a program that may make it.
    func answer(_ call: AgentCall, for app: AppRegistration) async -> AgentAnswer
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

/// The calls of a program to its user's agent.
public enum AgentCall: Sendable {
    /// - Parameters:
    ///   - scope: the app's default if the call has no scope.
    ///   - account: an identifier, or a user name.
    ///   - claims: JSON.
    ///   - wantsIDToken: whether the answer has the ID token too.
    case token(scope: Scopes, account: String?, forcesRefresh: Bool, claims: String?, wantsIDToken: Bool)
    case accounts
    case removeAccount(id: String)
}

/// The answer of an agent.
public struct AgentAnswer: Sendable {
    /// The outcome of refresh tokens at their issuer after a sign-out.
    public enum Revocation: Sendable {
        case revoked
        /// There was no refresh token.
        case nothing
        /// The issuer revokes no such tokens: they end by themselves.
        case notOffered
        case failed(SignInFailure)

        fileprivate var name: String {
            switch self {
            case .revoked: "revoked"
            case .nothing: "nothing"
            case .notOffered: "not_offered"
            case .failed: "failed"
            }
        }
    }

    public let status: Status
    /// nil for an answer without content.
    public let body: JSONObject?
    /// Seconds.
    public let retryAfter: Int?
    /// For a sign-out.
    public let revocation: Revocation?

    public init(_ status: Status, _ body: JSONObject?, retryAfter: Int? = nil) {
        self.status = status
        self.body = body
        self.retryAfter = retryAfter
        revocation = nil
    }

    /// Somebody was signed out.
    public init(revocation: Revocation) {
        status = .ok
        body = ["revocation": .string(revocation.name)]
        retryAfter = nil
        self.revocation = revocation
    }
}
