internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardReactor

/// The ways in which the token endpoint fails on request.
extension TokenEndpoint {
    private static let delay = Duration.seconds(20)

    /// Waits if that was asked for, and gives the answer to send instead of a token response; nil when there is none.
    func failure(
        _ misbehaviors: Set<TokenAnswerMisbehavior>, _ connection: ConnectionContext, _ address: IssuerAddress
    ) async -> Response? {
        if misbehaviors.isEmpty { return nil }
        if misbehaviors.contains(.slow) { await Self.wait(Self.delay, orUntilPeerGoes: connection) }
        // In the order of their declaration, so that of several always the same one wins.
        return TokenAnswerMisbehavior.allCases.lazy.filter(misbehaviors.contains)
            .compactMap { Self.answer($0, address) }.first
    }

    private static func answer(_ misbehavior: TokenAnswerMisbehavior, _ address: IssuerAddress) -> Response? {
        switch misbehavior {
        case .slow: return nil
        case .serverError, .flaky: return TokenError.serverError.response
        case .throttled:
            var response = TokenError.temporarilyUnavailable.response
            response.add("Retry-After", "7")
            return response
        case .reset: return .cutOff
        case .redirect: return redirect(.found, address)
        case .redirect307: return redirect(.temporaryRedirect, address)
        case .noContent: return Response(.noContent)
        case .errorIn200: return .json(.ok, ["error": "invalid_grant", "error_description": "An error in a 200."])
        case .garbage: return json(.bytes(Array("no JSON, {but} almost\n".utf8)))
        case .endless: return json(.stream(sendEndlessly))
        case .slowDrip: return json(.stream(sendSlowly))
        case .huge: return json(.stream(sendHugeContent))
        }
    }

    private static func redirect(_ status: Status, _ address: IssuerAddress) -> Response {
        var response = Response(status)
        response.add("Location", address.url(of: .elsewhere))
        return response
    }

    private static func json(_ body: Response.Body) -> Response {
        var response = Response(.ok, body: body)
        response.fields.add(["Content-Type": "application/json", "Cache-Control": "no-store"])
        return response
    }

    /// The beginning of a token response; what follows is one long access token.
    private static let opening = Array(#"{"token_type":"Bearer","access_token":""#.utf8)

    private static func sendEndlessly(_ writer: any BodyWriter) async {
        var isTaken = await writer.write(opening)
        while isTaken {
            await wait(.milliseconds(200), orUntilPeerGoes: writer.connection)
            isTaken = await writer.write([UInt8(ascii: "a")])
        }
    }

    private static func sendSlowly(_ writer: any BodyWriter) async {
        for byte in opening + Array(#"slow"}"#.utf8) {
            guard await writer.write([byte]) else { return }
            await wait(.seconds(1), orUntilPeerGoes: writer.connection)
        }
    }

    private static func sendHugeContent(_ writer: any BodyWriter) async {
        let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 100_000)
        var isTaken = await writer.write(opening)
        for _ in 0..<5000 where isTaken { isTaken = await writer.write(piece) }
        await writer.write(Array(#""}"#.utf8))
    }

    static func wait(_ duration: Duration, orUntilPeerGoes connection: ConnectionContext) async {
        guard duration > .zero, !connection.isPeerGone else { return }
        let gone = Signal()
        connection.whenPeerGoes { gone.raise() }
        _ = await gone.wait(until: Instant.now() + duration)
        connection.whenPeerGoes(nil)
    }
}

extension Response {
    /// No answer: the connection ends before one has begun.
    static let cutOff = Response(.ok, body: .stream { _ throws(IncompleteBody) in throw IncompleteBody() })
}
