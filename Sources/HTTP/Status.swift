/// A status code with its reason phrase (RFC 9110 section 15).
public struct Status: Sendable, Hashable {
    public let code: Int
    let line: StaticString

    private init(_ code: Int, _ line: StaticString) {
        self.code = code
        self.line = line
    }

    public static let ok = Status(200, "HTTP/1.1 200 OK\r\n")
    public static let created = Status(201, "HTTP/1.1 201 Created\r\n")
    public static let accepted = Status(202, "HTTP/1.1 202 Accepted\r\n")
    public static let noContent = Status(204, "HTTP/1.1 204 No Content\r\n")
    public static let found = Status(302, "HTTP/1.1 302 Found\r\n")
    public static let seeOther = Status(303, "HTTP/1.1 303 See Other\r\n")
    public static let temporaryRedirect = Status(307, "HTTP/1.1 307 Temporary Redirect\r\n")
    public static let badRequest = Status(400, "HTTP/1.1 400 Bad Request\r\n")
    public static let unauthorized = Status(401, "HTTP/1.1 401 Unauthorized\r\n")
    public static let forbidden = Status(403, "HTTP/1.1 403 Forbidden\r\n")
    public static let notFound = Status(404, "HTTP/1.1 404 Not Found\r\n")
    public static let methodNotAllowed = Status(405, "HTTP/1.1 405 Method Not Allowed\r\n")
    public static let requestTimeout = Status(408, "HTTP/1.1 408 Request Timeout\r\n")
    public static let conflict = Status(409, "HTTP/1.1 409 Conflict\r\n")
    public static let gone = Status(410, "HTTP/1.1 410 Gone\r\n")
    public static let contentTooLarge = Status(413, "HTTP/1.1 413 Content Too Large\r\n")
    public static let uriTooLong = Status(414, "HTTP/1.1 414 URI Too Long\r\n")
    public static let unsupportedMediaType = Status(415, "HTTP/1.1 415 Unsupported Media Type\r\n")
    public static let expectationFailed = Status(417, "HTTP/1.1 417 Expectation Failed\r\n")
    public static let misdirectedRequest = Status(421, "HTTP/1.1 421 Misdirected Request\r\n")
    public static let tooManyRequests = Status(429, "HTTP/1.1 429 Too Many Requests\r\n")
    public static let headerFieldsTooLarge = Status(431, "HTTP/1.1 431 Request Header Fields Too Large\r\n")
    public static let internalServerError = Status(500, "HTTP/1.1 500 Internal Server Error\r\n")
    public static let notImplemented = Status(501, "HTTP/1.1 501 Not Implemented\r\n")
    public static let serviceUnavailable = Status(503, "HTTP/1.1 503 Service Unavailable\r\n")
    public static let versionNotSupported = Status(505, "HTTP/1.1 505 HTTP Version Not Supported\r\n")

    /// Whether an answer of this status may have a body.
    var allowsBody: Bool { code >= 200 && code != 204 && code != 304 }

    public static func == (left: Status, right: Status) -> Bool { left.code == right.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
