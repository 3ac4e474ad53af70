internal import SwitchyardDemoIssuer
internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardReactor

/// At the token endpoint, instead of a token response.
enum TokenAnswerMisbehavior: String, Sendable, CaseIterable {
    /// Answers after 20 seconds. Goes together with any other.
    case slow
    /// Answers 500, each time. The code is not used up.
    case serverError = "server_error"
    /// Answers 500 the first time. The code is not used up. (In a refresh: each time.)
    case flaky
    /// Answers 429 with `Retry-After`, each time. The code is not used up.
    case throttled
    /// Cuts the connection without an answer, once the request has been read and the code used up.
    case reset
    /// Answers 302.
    case redirect
    /// Answers 307, which would have the client send the code to the other place as well.
    case redirect307 = "redirect_307"
    /// Answers 204.
    case noContent = "no_content"
    /// Answers 200 with an error object.
    case errorIn200 = "error_in_200"
    /// Answers 200 with content that is no JSON.
    case garbage
    /// Content that never ends, sent slowly.
    case endless
    /// A byte each second, of a token response that would have an end.
    case slowDrip = "slow_drip"
    /// 500 MB of content.
    case huge

    /// Those that fail before anything is looked at.
    static let usingNothingUp: Set<TokenAnswerMisbehavior> = [.serverError, .flaky, .throttled]
}

extension Set<TokenAnswerMisbehavior> {
    /// Waits if a test asked for that, and returns the answer in place of a token response; nil without one.
    /// - Parameter elsewhere: the target of redirects.
    func answer(on connection: ConnectionContext, elsewhere: String) async -> Response? {
        if contains(.slow) { await connection.wait(.seconds(20)) }
        // In the order of their declaration, so that of several always the same one wins.
        return TokenAnswerMisbehavior.allCases.lazy.filter(contains).compactMap { $0.answer(elsewhere: elsewhere) }
            .first
    }
}

extension TokenAnswerMisbehavior {
    fileprivate func answer(elsewhere: String) -> Response? {
        switch self {
        case .slow: return nil
        case .serverError, .flaky: return TokenError.serverError.response
        case .throttled:
            var response = TokenError(
                "temporarily_unavailable", "Too many requests.", status: .tooManyRequests
            ).response
            response.add("Retry-After", "7")
            return response
        case .reset: return .cutOff
        case .redirect: return Self.redirect(.found, elsewhere)
        case .redirect307: return Self.redirect(.temporaryRedirect, elsewhere)
        case .noContent: return Response(.noContent)
        case .errorIn200: return .json(.ok, ["error": "invalid_grant", "error_description": "An error in a 200."])
        case .garbage: return Self.json(.bytes(Array("no JSON, {but} almost\n".utf8)))
        case .endless: return Self.json(.stream(Self.sendEndlessly))
        case .slowDrip: return Self.json(.stream(Self.sendSlowly))
        case .huge: return Self.json(.stream(Self.sendHugeContent))
        }
    }

    private static func redirect(_ status: Status, _ elsewhere: String) -> Response {
        var response = Response(status)
        response.add("Location", elsewhere)
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
            await writer.connection.wait(.milliseconds(200))
            isTaken = await writer.write([UInt8(ascii: "a")])
        }
    }

    private static func sendSlowly(_ writer: any BodyWriter) async {
        for byte in opening + Array(#"slow"}"#.utf8) {
            guard await writer.write([byte]) else { return }
            await writer.connection.wait(.seconds(1))
        }
    }

    private static func sendHugeContent(_ writer: any BodyWriter) async {
        let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 100_000)
        var isTaken = await writer.write(opening)
        for _ in 0..<5000 where isTaken { isTaken = await writer.write(piece) }
        await writer.write(Array(#""}"#.utf8))
    }
}

extension Response {
    /// No answer: the connection ends before one has begun.
    static let cutOff = Response(.ok, body: .stream { _ throws(IncompleteBodyError) in throw IncompleteBodyError() })
}

extension ConnectionContext {
    /// For so long, or until the peer goes.
    func wait(_ duration: Duration) async {
        guard duration > .zero, !isPeerGone else { return }
        let gone = Signal()
        whenPeerGoes { gone.raise() }
        _ = await gone.wait(until: Instant.now() + duration)
        whenPeerGoes(nil)
    }
}
