public import SwitchyardHTTPClient
public import SwitchyardJSON

/// Why a call to a gateway did not do what it was for.
public enum GatewayFailure: Error, Sendable, CustomStringConvertible {
    /// The text is no gateway's address.
    case invalidAddress(String)
    case unreachable(gateway: String, TransferError)
    /// The gateway said no. `body` is its error object.
    case refused(what: String, status: Int, body: JSONObject)
    /// The request is over: it took too long.
    case expired
    /// What came is not what a gateway answers.
    case malformedAnswer(String)
    /// This process could not do its part.
    case local(String)

    public var description: String {
        switch self {
        case .invalidAddress(let text):
            "\"\(text)\" is no gateway: write https://HOST[:PORT] or unix:PATH (http on loopback only)"
        // libcurl would name a host and a port, which are none of a socket file's.
        case .unreachable(let gateway, let error) where gateway.hasPrefix("unix:") && error.kind == .notConnected:
            "no gateway listens at \(gateway): start one there, or name another"
        case .unreachable(let gateway, let error): "cannot reach the gateway at \(gateway): \(error)"
        case .refused(let what, let status, let body):
            "\(what): \((body["error_description"] ?? body["error"])?.string ?? "status \(status)")"
        case .expired: "the sign-in took too long; begin again"
        case .malformedAnswer(let text), .local(let text): text
        }
    }
}
