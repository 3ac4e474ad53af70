public import SwitchyardHTTPClient
public import SwitchyardJSON

/// The reason why a call to a gateway failed.
public enum GatewayCallError: Error, Sendable, CustomStringConvertible {
    /// The text is no gateway's address.
    case invalidAddress(String)
    case unreachable(gateway: String, TransferError)
    /// The gateway said no.
    case refused(GatewayRefusal)
    /// Another server answered instead of the gateway, without JSON: mostly a proxy while its gateway restarts.
    case answeredByAnother(status: Int, retryAfter: Int?)
    /// The request is over: it took too long.
    case expired
    /// The answer is not a gateway's.
    case malformedResponse(String)
    /// This process could not do its part.
    case local(String)
    /// The task that waited was canceled.
    case canceled

    public var description: String {
        switch self {
        case .invalidAddress(let text):
            "\"\(text)\" is no gateway: write https://HOST[:PORT] or unix:PATH (http on loopback only)"
        // libcurl would name a host and a port, and a socket file has neither.
        case .unreachable(let gateway, let error) where gateway.hasPrefix("unix:") && error.kind == .notConnected:
            "no gateway listens at \(gateway): start one there, or name another"
        case .unreachable(let gateway, let error): "cannot reach the gateway at \(gateway): \(error)"
        case .refused(let refusal): refusal.description
        case .answeredByAnother(let status, _):
            "the answer has the status \(status) and is no JSON, so it is not the gateway's: a proxy's, or another server's"
        case .expired: "the sign-in took too long; begin again"
        case .malformedResponse(let text), .local(let text): text
        case .canceled: "the wait was canceled"
        }
    }

    /// The seconds after which the call may be made again, if the answer said so.
    public var retryAfter: Int? {
        switch self {
        case .refused(let refusal): refusal.retryAfter
        case .answeredByAnother(_, let seconds): seconds
        case .invalidAddress, .unreachable, .expired, .malformedResponse, .local, .canceled: nil
        }
    }

    /// Whether the same call may do better a little later: the gateway is busy or restarting, or the way
    /// to it is broken.
    public var isPassing: Bool {
        switch self {
        case .unreachable(_, let error): error.kind != .invalidRequest && error.kind != .tooLarge
        case .answeredByAnother: true
        case .refused(let refusal): refusal.status == 429 || refusal.status >= 500
        case .invalidAddress, .expired, .malformedResponse, .local, .canceled: false
        }
    }
}

/// An answer by which a gateway said no.
public struct GatewayRefusal: Sendable, CustomStringConvertible {
    /// The step that was not done, in words.
    public let what: String
    public let status: Int
    /// The error object.
    public let body: JSONObject
    /// Whole seconds, by the `Retry-After` header or else by the error object; nil when neither says.
    public let retryAfter: Int?

    public init(_ what: String, _ answer: GatewayResponse) {
        self.what = what
        status = answer.status
        body = answer.body
        retryAfter = answer.retryAfter ?? answer.body["retry_after"]?.integer.map { Int(clamping: $0) }
    }

    /// The error's code (RFC 6749 section 5.2), if any.
    public var code: String? { body["error"]?.string }

    public var description: String {
        "\(what): \((body["error_description"] ?? body["error"])?.string ?? "status \(status)")"
    }
}
