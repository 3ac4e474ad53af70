/// At the token endpoint, instead of a token response.
enum TokenAnswerMisbehavior: String, Sendable, CaseIterable {
    /// Answers after 20 seconds. Goes together with any other.
    case slow
    /// Answers 500, each time. The code is not used up.
    case serverError = "server_error"
    /// Answers 500 the first time. The code is not used up. (In a refresh: each time.)
    case flaky
    /// Answers 429 with `Retry-After`, each time. The code is not used up.
    case throttled
    /// Cuts the connection without an answer, once the request has been read and the code used up.
    case reset
    /// Answers 302.
    case redirect
    /// Answers 307, which would have the client send the code to the other place as well.
    case redirect307 = "redirect_307"
    /// Answers 204.
    case noContent = "no_content"
    /// Answers 200 with an error object.
    case errorIn200 = "error_in_200"
    /// Answers 200 with content that is no JSON.
    case garbage
    /// Content that never ends, sent slowly.
    case endless
    /// A byte each second, of a token response that would have an end.
    case slowDrip = "slow_drip"
    /// 500 MB of content.
    case huge

    /// Those that leave the code as it is.
    static let keepingCode: Set<TokenAnswerMisbehavior> = [.serverError, .throttled]

    /// Those that leave a refresh token or a continuation token as it is.
    static let keepingRefreshToken: Set<TokenAnswerMisbehavior> = [.serverError, .flaky, .throttled]
}
