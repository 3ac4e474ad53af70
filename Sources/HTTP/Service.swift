/// What answers requests. Called on the loop of each connection, many at a time.
public protocol Service: Sendable {
    func respond(to request: Request) async -> Response

    /// The answer to bytes that are no request, or to a request that is too large. The connection ends after it.
    func respond(to error: HTTPError, on connection: ConnectionContext) -> Response
}

extension Service {
    public func respond(to error: HTTPError, on connection: ConnectionContext) -> Response {
        var response = Response(error.status, body: .bytes(Array("\(error.reason.explanation)\n".utf8)))
        response.add("Content-Type", "text/plain; charset=utf-8")
        return response
    }
}
