/// A status code (RFC 9110 section 15) with the reason phrase that HTTP/1 sends along and clients ignore.
public struct Status: Sendable, Hashable {
    public let code: Int
    let reasonPhrase: StaticString

    private init(_ code: Int, _ reasonPhrase: StaticString) {
        self.code = code
        self.reasonPhrase = reasonPhrase
    }

    public static let ok = Status(200, "OK")
    public static let created = Status(201, "Created")
    public static let accepted = Status(202, "Accepted")
    public static let noContent = Status(204, "No Content")
    public static let found = Status(302, "Found")
    public static let seeOther = Status(303, "See Other")
    public static let temporaryRedirect = Status(307, "Temporary Redirect")
    public static let notModified = Status(304, "Not Modified")
    public static let badRequest = Status(400, "Bad Request")
    public static let unauthorized = Status(401, "Unauthorized")
    public static let forbidden = Status(403, "Forbidden")
    public static let notFound = Status(404, "Not Found")
    public static let methodNotAllowed = Status(405, "Method Not Allowed")
    public static let requestTimeout = Status(408, "Request Timeout")
    public static let conflict = Status(409, "Conflict")
    public static let gone = Status(410, "Gone")
    public static let contentTooLarge = Status(413, "Content Too Large")
    public static let uriTooLong = Status(414, "URI Too Long")
    public static let unsupportedMediaType = Status(415, "Unsupported Media Type")
    public static let expectationFailed = Status(417, "Expectation Failed")
    public static let misdirectedRequest = Status(421, "Misdirected Request")
    public static let tooManyRequests = Status(429, "Too Many Requests")
    public static let headerFieldsTooLarge = Status(431, "Request Header Fields Too Large")
    public static let internalServerError = Status(500, "Internal Server Error")
    public static let notImplemented = Status(501, "Not Implemented")
    public static let badGateway = Status(502, "Bad Gateway")
    public static let serviceUnavailable = Status(503, "Service Unavailable")
    public static let versionNotSupported = Status(505, "HTTP Version Not Supported")

    /// A status that another server has chosen, without a phrase; nil if a final answer cannot have it.
    public init?(code: Int) {
        guard (200..<ServerCounts.endOfCodes).contains(code) else { return nil }
        self.init(code, "")
    }

    /// Whether an answer of this status may have a body.
    var allowsBody: Bool { code >= 200 && code != 204 && code != 304 }

    public static func == (left: Status, right: Status) -> Bool { left.code == right.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
