internal import SwitchyardHTTPClient
internal import SwitchyardOAuth

/// An MCP server, and how it is reached.
struct RemoteServer: Sendable {
    let url: EndpointURL
    /// The fields of `--header`.
    let fields: [HeaderOption]
    let trustAnchor: String?
    let route: OutgoingRoute

    /// The largest answer, and the largest event of a stream. Tools give whole pictures back.
    static let maximumAnswer = 64 << 20
    /// The largest message of a client. Clients give whole files to tools.
    static let maximumMessage = 32 << 20
    private static let connectionTime = Duration.seconds(30)

    /// Whether `--header` has the credentials, so that no sign-in is made.
    var hasOwnCredentials: Bool { fields.contains(where: \.isAuthorization) }

    func request(
        _ method: OutgoingRequest.Method, _ fields: [(String, String)], body: [UInt8]? = nil
    ) -> OutgoingRequest {
        let headers = fields + self.fields.map { ($0.name, $0.value) }
        var request = OutgoingRequest(
            method, url.text, headers: headers, body: body, timeout: Self.connectionTime,
            maximumBytes: Self.maximumAnswer, trustAnchor: trustAnchor, route: route, allowsPlainHTTP: !url.isSecure)
        request.largestBody = Self.maximumMessage
        return request
    }

    /// The call that ends a session.
    func farewell(_ fields: [(String, String)], within time: Duration) -> OutgoingRequest {
        var request = request(.delete, fields)
        request.timeout = time
        return request
    }
}
