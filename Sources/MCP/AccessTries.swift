/// A server's refusal of the token of a call.
public enum AccessRefusal: Hashable, Sendable {
    /// 401: the token is missing, or no longer good.
    case noAccess
    /// 403 with `insufficient_scope` (RFC 6750 section 3.1).
    case tooFewScopes
}

/// The tries of one call whose token the server refuses. Without I/O.
///
/// Tokens are numbered in the order in which they came; 0 stands for none.
public struct AccessTries: Sendable {
    public enum Step: Hashable, Sendable {
        /// A newer token has come since the call was sent.
        case sendAgain
        /// Get another token than the refused one.
        case getToken
        /// Get a token with more scopes, which takes a sign-in.
        case stepUp
        /// The server's refusal is the answer.
        case giveUp
    }

    /// A token of the cache, a refreshed one, and one of a new sign-in.
    private static let mostTokens = 3
    private static let mostTries = 8

    private var tries = 0
    private var refusedTokens = 0
    private var hasSteppedUp = false

    public init() {}

    /// - Parameters:
    ///   - sent: the number of the token that the call was sent with.
    ///   - current: the number of the newest token.
    public mutating func next(after refusal: AccessRefusal, sent: Int, current: Int) -> Step {
        tries += 1
        guard tries <= Self.mostTries else { return .giveUp }
        if sent > 0, refusal == .noAccess { refusedTokens += 1 }
        guard refusedTokens < Self.mostTokens else { return .giveUp }
        if current > sent { return .sendAgain }
        // Without a token there are no scopes that could be too few.
        guard refusal == .tooFewScopes, sent > 0 else { return .getToken }
        guard !hasSteppedUp else { return .giveUp }
        hasSteppedUp = true
        return .stepUp
    }

    /// The call only waited for the sign-in of another one, so its own step-up is still to come.
    public mutating func sharedSignIn() { hasSteppedUp = false }
}

/// The program that gets tokens for `switchyard mcp`.
public enum TokenOrigin: Hashable, Sendable {
    /// This user's agent.
    /// - Parameter mustStart: whether it is started first.
    case agent(mustStart: Bool)
    case gateway
    case ownProcess

    /// An agent that runs comes first, because it has tokens for all programs; then the gateway that the person names.
    public static func choose(isAgentRunning: Bool, isAgentConfigured: Bool, hasGateway: Bool) -> TokenOrigin {
        if isAgentRunning { return .agent(mustStart: false) }
        if hasGateway { return .gateway }
        return isAgentConfigured ? .agent(mustStart: true) : .ownProcess
    }
}
