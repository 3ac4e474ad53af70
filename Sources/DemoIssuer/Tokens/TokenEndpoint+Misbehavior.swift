internal import HTTP
internal import Reactor

/// The ways in which the token endpoint fails on request.
extension TokenEndpoint {
    private static let delay = Duration.seconds(20)

    /// Waits if that was asked for, and gives the answer to send instead of a token response; nil when there is none.
    func failure(
        _ misbehaviors: Set<Misbehavior>, _ connection: ConnectionContext, _ address: IssuerAddress
    ) async -> Response? {
        if misbehaviors.isEmpty { return nil }
        if misbehaviors.contains(.slow) { await Self.wait(Self.delay, orUntilPeerGoes: connection) }
        if misbehaviors.contains(.reset) { return .abort }
        if misbehaviors.contains(.flaky) || misbehaviors.contains(.serverError) {
            return TokenError.serverError.response
        }
        if misbehaviors.contains(.throttled) {
            var response = TokenError.temporarilyUnavailable.response
            response.add("Retry-After", "7")
            return response
        }
        if misbehaviors.contains(.redirect) {
            var response = Response(.found)
            response.add("Location", address.url(of: .elsewhere))
            return response
        }
        if misbehaviors.contains(.garbage) { return Self.json(.bytes(Array("no JSON, {but} almost\n".utf8))) }
        if misbehaviors.contains(.endless) { return Self.json(.stream(Self.sendEndlessly)) }
        if misbehaviors.contains(.huge) { return Self.json(.stream(Self.sendHugeContent)) }
        return nil
    }

    private static func json(_ body: Response.Body) -> Response {
        var response = Response(.ok, body: body)
        response.add(lines: "Content-Type: application/json\r\nCache-Control: no-store\r\n")
        return response
    }

    /// The beginning of a token response; what follows is one long access token.
    private static let opening = Array(#"{"token_type":"Bearer","access_token":""#.utf8)

    private static func sendEndlessly(_ writer: StreamWriter) async {
        var isTaken = await writer.write(opening)
        while isTaken {
            await wait(.milliseconds(200), orUntilPeerGoes: writer.connection)
            isTaken = await writer.write([UInt8(ascii: "a")])
        }
    }

    private static func sendHugeContent(_ writer: StreamWriter) async {
        let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 100_000)
        var isTaken = await writer.write(opening)
        for _ in 0..<5000 where isTaken { isTaken = await writer.write(piece) }
        await writer.write(Array(#""}"#.utf8))
    }

    private static func wait(_ duration: Duration, orUntilPeerGoes connection: ConnectionContext) async {
        guard !connection.isPeerGone else { return }
        let gone = Signal()
        connection.whenPeerGoes { gone.raise() }
        _ = await gone.wait(until: Instant.now() + duration)
        connection.whenPeerGoes(nil)
    }
}
