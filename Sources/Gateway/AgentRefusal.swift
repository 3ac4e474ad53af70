public import SwitchyardHTTP
public import SwitchyardOAuth

/// The reason for an agent's refusal, as the program gets it.
public struct AgentRefusal: Error, Sendable {
    /// The part that only some refusals have.
    public enum Detail: Sendable {
        case none
        case signIn(SignInProposal)
        /// The program has to name one of these.
        case accounts([AgentAccount])
        case scopes(granted: [String], declined: [String])
    }

    public let status: Status
    /// The `error` of the response.
    public let code: String
    public let description: String
    public let detail: Detail
    /// Seconds.
    public let retryAfter: Int?
    /// Names it in events.
    public let failure: SignInFailure.Code

    public init(
        _ status: Status, _ code: String, _ description: String, _ detail: Detail = .none, retryAfter: Int? = nil,
        failure: SignInFailure.Code
    ) {
        self.status = status
        self.code = code
        self.description = description
        self.detail = detail
        self.retryAfter = retryAfter
        self.failure = failure
    }

    public static let unusableKey = AgentRefusal(
        .internalServerError, "internal", "the key of the token cannot be used; sign in again", failure: .internal)

    public static let noSuchAccount = AgentRefusal(
        .notFound, "not_found", "there is no such account", failure: .invalidRequest)

    public static func accountRequired(_ accounts: [AgentAccount]) -> AgentRefusal {
        AgentRefusal(
            .badRequest, "account_required", "several people have signed in: name one of them as \"account\"",
            .accounts(accounts), failure: .interactionRequired)
    }

    public static func interactionRequired(_ proposal: SignInProposal, _ reason: String) -> AgentRefusal {
        AgentRefusal(
            .unauthorized, "interaction_required", "\(reason): the person has to sign in, by POST /v1/requests",
            .signIn(proposal), failure: .interactionRequired)
    }
}
