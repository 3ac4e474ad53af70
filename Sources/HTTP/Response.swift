/// An answer: a status, header fields, and a body.
public struct Response: Sendable {
    public enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// Written piece by piece; the closure runs on the connection's loop until it returns.
        case stream(@Sendable (StreamWriter) async -> Void)
        /// Stands for the whole answer; made by ``Response/later(_:)``.
        case later(any LaterResponse)
    }

    public var status: Status
    public var body: Body
    /// Field lines as they go on the wire, without `Date`, `Content-Length` and `Connection`, which the server adds.
    private(set) var fieldLines: [UInt8] = []
    /// Whether the connection ends with this answer.
    public var closesConnection = false
    /// Whether half of a body in memory is kept back and the connection closed, so that the content is shorter than its
    /// announced length. For a service that plays a broken server.
    public var isCutShort = false
    /// Whether this is ``abort``.
    private(set) var isAbort = false

    /// No answer: the connection is closed without one. For a service that plays a broken server.
    public static let abort: Response = {
        var response = Response(.internalServerError)
        response.isAbort = true
        return response
    }()

    /// An answer that is not there yet; status and fields come with it.
    public static func later(_ answer: any LaterResponse) -> Response {
        Response(.internalServerError, body: .later(answer))
    }

    public init(_ status: Status, body: Body = .none) {
        self.status = status
        self.body = body
    }

    /// Adds a header field. Bytes that cannot stand in a value (RFC 9110 section 5.5), line breaks among them, are left
    /// out: a header with a line break cannot exist.
    public mutating func add(_ name: StaticString, _ value: [UInt8]) {
        // Not generic: the hot path crosses a module's edge here, where generic code would not be specialized.
        if fieldLines.isEmpty { fieldLines.reserveCapacity(256 + value.count) }
        append(name)
        append(": ")
        if value.allSatisfy({ ByteClass.isFieldContent($0) }) {
            fieldLines.append(contentsOf: value)
        } else {
            fieldLines.append(contentsOf: value.filter { ByteClass.isFieldContent($0) })
        }
        append("\r\n")
    }

    public mutating func add(_ name: StaticString, _ value: String) {
        add(name, Array(value.utf8))
    }

    /// Adds fields that were put together before: whole lines, each ended by CR LF.
    public mutating func add(lines: StaticString) {
        append(lines)
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { unsafe fieldLines.append(contentsOf: $0) }
    }
}
