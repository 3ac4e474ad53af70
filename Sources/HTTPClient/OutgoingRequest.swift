public import SwitchyardCrypto
internal import SwitchyardText

/// A request to another server, and the limits of its answer.
public struct OutgoingRequest: Sendable {
    /// The supported methods; the raw value is sent.
    public enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    public var method: Method
    /// An absolute `https` URL, or an `http` one where ``allowsPlainHTTP`` says so.
    public var url: String
    /// The header fields, in their order. A value with a control character is refused.
    public var headers: [(String, String)]
    /// The content of a POST, PUT or PATCH, at most ``largestBody``.
    public var body: [UInt8]?
    /// The limit for ``body``, in bytes.
    public var largestBody = maximumBodyBytes
    /// For the whole exchange, from the look-up of the name to the last byte of the answer.
    public var timeout: Duration
    /// The most that an answer's content may hold. Its header has the same limit, for itself.
    public var maximumBytes: Int
    /// Path of a PEM file with more trust anchors, beside the system's.
    public var trustAnchor: String?
    /// The certificate for a server that asks for one (TLS client authentication).
    public var certificate: CertificateFiles?
    /// The same, held in memory. Connections and TLS sessions are shared only by requests with the same one.
    public var clientCertificate: TLSClientCertificate?
    /// Path of a Unix socket to connect to, instead of the host and port of ``url``.
    public var unixSocket: String?
    /// How it leaves this machine, unless it goes to a Unix socket.
    public var route = OutgoingRoute.direct
    /// Whether ``url`` may be plain `http`.
    public var allowsPlainHTTP: Bool
    /// Whether the request must not be repeated, even where HTTP allows it (RFC 9110 section 9.2.2), because it holds a
    /// value that counts once. A request with content is never repeated.
    public var isSentOnce: Bool
    /// The servers that it may be sent to.
    public var destination = DestinationRule.anyServer
    /// Whether the answer shall say by which certificates the server was believed.
    public var wantsCertificates = false

    /// The usual limit for ``body``. A code may be nearly as long as its callback, 64 KiB, and each byte three times as long
    /// in a form. A code counts once, so no code may turn out too long when it is sent.
    public static let maximumBodyBytes = 256 * 1024

    public init(
        _ method: Method, _ url: String, headers: [(String, String)] = [], body: [UInt8]? = nil,
        timeout: Duration = .seconds(10), maximumBytes: Int = 1 << 20, trustAnchor: String? = nil,
        unixSocket: String? = nil, route: OutgoingRoute = .direct, allowsPlainHTTP: Bool = false,
        isSentOnce: Bool = false
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.maximumBytes = maximumBytes
        self.trustAnchor = trustAnchor
        self.unixSocket = unixSocket
        self.route = route
        self.allowsPlainHTTP = allowsPlainHTTP
        self.isSentOnce = isSentOnce
    }
}

extension OutgoingRequest {
    /// Whether the other one differs at most in its content.
    func isLike(_ other: OutgoingRequest) -> Bool {
        method == other.method && url == other.url && timeout == other.timeout && maximumBytes == other.maximumBytes
            && trustAnchor == other.trustAnchor && unixSocket == other.unixSocket
            && route == other.route && certificate == other.certificate
            && clientCertificate == other.clientCertificate && allowsPlainHTTP == other.allowsPlainHTTP
            && wantsCertificates == other.wantsCertificates && destination == other.destination
            && headers.elementsEqual(other.headers, by: ==)
    }

    /// Whether it carries an access token. The credentials of Basic are a client's, which all its requests have.
    var hasAccessToken: Bool {
        headers.contains { name, value in
            ASCII.equalIgnoringCase(name, "Authorization") && !value.hasPrefix("Basic ")
        }
    }

    /// The proxy that it goes through; nil for a direct one.
    var proxy: OutgoingProxy? { unixSocket == nil ? route.proxy(for: url) : nil }

    /// The failure of a request to a host that is written as an address, where no request may be sent to; nil for another.
    var forbiddenHost: TransferError? {
        guard destination != .anyServer, let host = ServerName(of: url)?.host,
            let use = destination.objection(toHost: host)
        else { return nil }
        return TransferError(forbidden: host, use)
    }

    /// The reason why libcurl must not see this request, or nil.
    var flaw: String? {
        if hasControlCharacter(url) { return "control character in the URL" }
        for (name, value) in headers where hasControlCharacter(name) || hasControlCharacter(value) {
            return "control character in a header"
        }
        if body.map({ $0.count > largestBody }) ?? false { return "body too large" }
        return nil
    }

    private func hasControlCharacter(_ text: String) -> Bool {
        let bytes = text.utf8.span
        // Without a branch: a loop that looks at everything takes many bytes at a time.
        var found: UInt8 = 0
        for index in 0..<bytes.count { found |= (bytes[index] < 0x20 ? 1 : 0) | (bytes[index] == 0x7F ? 1 : 0) }
        return found != 0
    }
}
