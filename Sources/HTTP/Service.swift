/// A service that answers requests. Called on the loop of each connection, many at a time.
public protocol Service: Sendable {
    /// Answers at once, if that needs no waiting; this saves the request a task. If it returns nil, it must have
    /// changed no state, and ``respond(to:)`` is called.
    func answerAtOnce(_ request: Request) -> Response?

    /// The answer, which may take its time. A task of the connection's loop.
    func respond(to request: Request) async -> Response

    /// Answers unreadable bytes, too large requests, and connections over a limit. The connection ends after it.
    /// - Parameter request: the request, if it could be read.
    func respond(to error: HTTPError, of request: Request?, on connection: ConnectionContext) -> Response
}

extension Service {
    public func answerAtOnce(_ request: Request) -> Response? { nil }

    public func respond(to error: HTTPError, of request: Request?, on connection: ConnectionContext) -> Response {
        var response = Response(error.status, body: .bytes(Array("\(error.reason.explanation)\n".utf8)))
        response.add("Content-Type", "text/plain; charset=utf-8")
        // The address may hold a code, which must not stay in an address bar (rules: no secret shown).
        if let path = error.path, path != Array("/".utf8) { response.add("Refresh", "0; url=/") }
        return response
    }
}
