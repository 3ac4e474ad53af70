/// An answer: a status, header fields, and a body. How it is written is the business of the version of HTTP that it
/// goes by, `Date` and what frames the body included.
public struct Response: Sendable {
    /// The content, or how it will come.
    public enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// Written piece by piece; the closure runs on the connection's loop until it returns.
        ///
        /// Status and fields go with the first piece. A closure that throws has not written all of the body: the client
        /// learns that it is incomplete (RFC 9112 section 8), and an answer that has not begun is not sent at all.
        case stream(@Sendable (any BodyWriter) async throws(IncompleteBodyError) -> Void)
        /// A placeholder for the whole answer; made by ``Response/later(_:)``.
        case later(any LaterResponse)
    }

    public var status: Status
    public var fields: Fields
    public var body: Body
    /// Whether the connection ends with this answer.
    public var closesConnection = false

    public init(_ status: Status, fields: Fields = Fields(), body: Body = .none) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// An answer that is not there yet; status and fields come with it.
    public static func later(_ answer: any LaterResponse) -> Response {
        Response(.internalServerError, body: .later(answer))
    }

    /// Adds a header field. Bytes that cannot stand in a value, line breaks among them, are left out.
    public mutating func add(_ name: StaticString, _ value: [UInt8]) { fields.add(name, value) }

    /// As for bytes: the value's UTF-8.
    public mutating func add(_ name: StaticString, _ value: String) { fields.add(name, value) }
}

/// The rest of a streamed body will not come.
public struct IncompleteBodyError: Error {
    public init() {}
}

/// The destination of a streamed body. Belongs to the connection's loop.
public protocol BodyWriter: AnyObject, Sendable {
    var connection: ConnectionContext { get }

    /// Writes one piece and waits until the connection has taken it.
    /// - Returns: false when the peer is gone or does not read; then writing is over.
    @discardableResult
    func write(_ piece: [UInt8]) async -> Bool
}

/// An answer that is not there yet. Meanwhile its connection has neither a task nor a stack, so that a waiting app
/// costs little more than its TLS session. Called on the connection's loop.
public protocol LaterResponse: AnyObject, Sendable {
    /// - Parameter tell: called once, on any thread, when ``respond()`` can be called; also when the peer goes.
    func whenReady(_ tell: @escaping @Sendable () -> Void)

    /// The answer, which may be later still.
    func respond() async -> Response
}
