internal import SwitchyardHTTPClient
internal import SwitchyardMCP
internal import SwitchyardOAuth
internal import SwitchyardReactor

/// Calls that the server refuses for their token.
extension MCPBridge {
    /// The longest wait of a call for a sign-in. Clients give up on `initialize` sooner than on a tool. No person waits for the
    /// answer to a notification, so that one waits for as long as the sign-in lives.
    private static let patience = (initialize: Duration.seconds(8), other: Duration.seconds(20))

    /// Gets another token for a call, or ends the call.
    /// - Returns: whether the call can be sent again.
    func regainAccess(
        _ exchange: MCPExchange, _ refusal: AccessRefusal, _ response: IncomingResponse
    ) async -> Bool {
        guard !remote.hasOwnCredentials else {
            fail(exchange, .signInNeeded, "the server refuses the Authorization field of --header")
            return false
        }
        let challenge = response.headers["www-authenticate"]
        if response.wantsNonce, !exchange.hasFreshNonce {
            access.note(nonce: response.header("DPoP-Nonce"))
            exchange.hasFreshNonce = true
            return true
        }
        switch exchange.tries.next(after: refusal, sent: exchange.tokenNumber, current: access.number) {
        case .sendAgain: return true
        case .getToken: return await waitForToken(exchange, challenge, isStepUp: false)
        case .stepUp: return await waitForToken(exchange, challenge, isStepUp: true)
        case .giveUp:
            if case .tooFewScopes = refusal {
                if case .failed(let words) = refused(response, exchange) { fail(exchange, .internalError, words) }
            } else {
                fail(exchange, .signInNeeded, "the server refuses the token that was just issued")
            }
            return false
        }
    }

    private func waitForToken(_ exchange: MCPExchange, _ challenge: String?, isStepUp: Bool) async -> Bool {
        let time = exchange.message.method == "initialize" ? Self.patience.initialize : Self.patience.other
        let deadline = exchange.patience ?? (exchange.isRequest ? .now() + time : .never)
        exchange.patience = deadline
        exchange.waitsForToken = true
        defer { exchange.waitsForToken = false }
        let (attempt, isNew) = access.attempt(challenge, isStepUp: isStepUp)
        if !isNew { exchange.tries.sharedSignIn() }
        if exchange.message.takesSignInElicitation, !exchange.hasShownSignIn, !exchange.isOwn {
            let isKnown = Promise<Void>()
            attempt.isShown.whenFulfilled { isKnown.fulfil(()) }
            exchange.stop.whenFulfilled { isKnown.fulfil(()) }
            _ = await isKnown.value(until: deadline)
            if attempt.end.current == nil, let notice = attempt.notice, let id = exchange.message.requestID,
                !exchange.isCancelled, let result = try? MCPMessage(line: notice.elicitation.inputRequired(id))
            {
                answer(exchange, result)
                return false
            }
        }
        let isOver = Promise<Void>()
        attempt.end.whenFulfilled { _ in isOver.fulfil(()) }
        exchange.stop.whenFulfilled { isOver.fulfil(()) }
        // After the end of the input no person sees how the sign-in ends.
        attempt.isShown.whenFulfilled { [inputIsOver] in inputIsOver.whenFulfilled { isOver.fulfil(()) } }
        _ = await isOver.value(until: deadline)
        guard !exchange.isCancelled else { return false }
        switch attempt.end.current {
        case .token: return true
        // It was not for a refused token, so no person was asked.
        case .failed where attempt.isRenewal: return await waitForToken(exchange, challenge, isStepUp: isStepUp)
        case .failed(let words):
            fail(
                exchange, .signInNeeded,
                "the server wants a token, and there is none: \(words). Credentials of another kind: --header "
                    + "'Authorization: Bearer ${NAME}'")
        case nil:
            guard let notice = attempt.notice else {
                fail(exchange, .signInNeeded, "the server wants a sign-in, which is being prepared: call again")
                return false
            }
            fail(exchange, .signInNeeded, notice.error, data: notice.data)
        }
        return false
    }
}

extension IncomingResponse {
    private var challenge: BearerChallenge? {
        headers["www-authenticate"].flatMap { try? BearerChallenge(wwwAuthenticate: $0) }
    }

    /// Whether its challenge is for a token with more scopes.
    var asksForMoreScope: Bool { challenge?.asksForMoreScope ?? false }

    /// Whether the proof lacks the nonce that stands in this answer (RFC 9449 section 9).
    var wantsNonce: Bool { challenge?.error == "use_dpop_nonce" && header("DPoP-Nonce") != nil }
}
