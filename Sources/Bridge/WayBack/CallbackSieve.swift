internal import SwitchyardOAuth
internal import SwitchyardText

/// The reason why a request does not go to the tool.
public enum SieveRefusal: Error, Hashable, Sendable, CaseIterable {
    /// Another host name leads here, by DNS rebinding: an attacker's domain points at this machine.
    case foreignHost
    case unknownPath
    case method
    case prefetch
    /// A page asks for it in the background.
    case notNavigation
    case mediaType
    /// Missing, given twice, or another one.
    case state
    /// The person has not gone on to the issuer, so this cannot be its answer.
    case notAskedFor
    /// The callback has come already.
    case repeated

    public var status: Int {
        switch self {
        case .foreignHost: 421
        case .unknownPath: 404
        case .method: 405
        case .prefetch: 503
        case .notNavigation, .notAskedFor: 403
        case .mediaType: 415
        case .state: 400
        case .repeated: 409
        }
    }
}

/// The sieve on the way back: which request is the callback of a sign-in, and what of it the tool gets.
public enum CallbackSieve {
    /// Checks a request, and advances the sign-in that it belongs to.
    /// - Parameter signIns: the sign-ins that wait at its port.
    /// - Returns: the index of the sign-in, and the request for its tool.
    public static func take(
        _ request: ArrivedRequest, among signIns: inout [BridgedSignIn]
    ) throws(SieveRefusal) -> (index: Int, forTool: ToolRequest) {
        let here = signIns.indices.filter { signIns[$0].address.redirectURI.authority == request.authority }
        guard !here.isEmpty else { throw .foreignHost }
        if let page = here.first(where: { signIns[$0].phase == .expectingPage(request.target) }) {
            try checkManner(of: request, allowingPost: false)
            signIns[page].takePage()
            return (page, ToolRequest(request, to: signIns[page].address.redirectURI))
        }
        let waiting = here.filter { signIns[$0].address.redirectURI.path == request.path }
        guard !waiting.isEmpty else { throw .unknownPath }
        try checkManner(of: request, allowingPost: true)
        let state = try state(of: request)
        guard let index = waiting.first(where: { isEqual(signIns[$0].address.state, state) }) else { throw .state }
        switch signIns[index].phase {
        case .offered: throw .notAskedFor
        case .going: break
        default: throw .repeated
        }
        signIns[index].take()
        return (index, ToolRequest(request, to: signIns[index].address.redirectURI))
    }

    private static func checkManner(
        of request: ArrivedRequest, allowingPost: Bool
    ) throws(SieveRefusal) {
        guard request.method == "GET" || request.method == "POST" && allowingPost else { throw .method }
        guard !request.isPrefetch else { throw .prefetch }
        guard request.isNavigation else { throw .notNavigation }
    }

    /// The one state of a request: in the query of a GET, in the form of a POST (rules: parameters once).
    private static func state(of request: ArrivedRequest) throws(SieveRefusal) -> String {
        let parameters: [UInt8]
        if request.method == "POST" {
            guard request.mediaType == "application/x-www-form-urlencoded" else { throw .mediaType }
            parameters = request.body
        } else {
            parameters = request.query ?? []
        }
        guard let fields = try? FormEncoding.decode(parameters) else { throw .state }
        let states = fields.filter { $0.name == "state" }
        guard states.count == 1 else { throw .state }
        return states[0].value
    }

    /// Takes as long for a state that is nearly right as for any other.
    private static func isEqual(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
