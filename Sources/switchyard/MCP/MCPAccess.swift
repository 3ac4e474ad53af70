internal import SwitchyardCrypto
internal import SwitchyardDesktop
internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardMCP
internal import SwitchyardOAuth
internal import SwitchyardReactor
internal import SwitchyardText

/// The token of `switchyard mcp`, and how it gets one. Calls that need one at the same time share the way to it.
///
/// Why `@unchecked Sendable`: it is used on the thread of the bridge's loop only.
final class MCPAccess: @unchecked Sendable {
    /// One way to a token: a question, and a sign-in if that says so.
    ///
    /// Why `@unchecked Sendable`: as ``MCPAccess``.
    final class Attempt: @unchecked Sendable {
        /// Fulfilled once the sign-in has an address for the browser, or at the end.
        let isShown = Promise<Void>()
        /// Whether it is for a token that only ends soon.
        let isRenewal: Bool
        let end = Promise<End>()
        fileprivate(set) var notice: SignInNotice?
        fileprivate var signIn: PendingSignIn?
        /// The socket for `switchyard release`.
        fileprivate var waiting: WaitingSignIn?
        fileprivate var refused: AccessToken?
        fileprivate var isAskingAgain = false

        fileprivate init(_ need: TokenNeed) {
            if case .renewal = need { isRenewal = true } else { isRenewal = false }
        }

        fileprivate func finish(_ end: End) {
            waiting?.end()
            waiting = nil
            self.end.fulfil(end)
            isShown.fulfil(())
        }
    }

    enum End: Sendable {
        case token
        case failed(String)
    }

    private let plan: TokenPlan
    private let client: HTTPClient
    private let loop: EventLoop
    private let host: String
    private let notes: MCPNotes
    private var source: (any TokenSource)?
    private var token: AccessToken?
    /// Counts the tokens; 0 without one.
    private(set) var number = 0
    private var attempt: Attempt?
    /// The token for which a renewal was of no use.
    private var lastRenewal = 0
    /// The last `DPoP-Nonce` of the server.
    private var nonce: String?
    /// Fulfilled with the next token.
    private var next = Promise<Void>()
    /// Is called when a sign-in has an address, before the person is told in other ways.
    var whenShown: ((SignInNotice) -> Void)?
    var whenOver: ((SignInNotice) -> Void)?

    private static let renewalTime = Duration.seconds(20)
    private static let farewell = Duration.seconds(2)
    private static let longestNonce = 1024

    init(_ plan: TokenPlan, with client: HTTPClient, on loop: EventLoop, _ notes: MCPNotes) {
        self.notes = notes
        self.plan = plan
        self.client = client
        self.loop = loop
        host = (try? ResourceURL(plan.options.resource, allowingLoopbackHTTP: true))?.host ?? "the server"
    }

    /// The header fields of a call.
    func fields(_ method: OutgoingRequest.Method) async -> [(String, String)] {
        guard let token else { return [] }
        guard token.isBound, let source else { return [token.field] }
        // A proof names the address without its query (RFC 9449 section 4.2).
        let url = String(plan.options.resource.prefix { $0 != "?" })
        let call = ProvenCall(method: method.rawValue, url: url, nonce: nonce)
        return await source.fields(token, of: call, with: client)
    }

    /// Notes the nonce that the server wants in the next proof.
    /// - Returns: whether there is another one than before.
    @discardableResult
    func note(nonce value: String?) -> Bool {
        guard let value, value != nonce, value.utf8.count <= Self.longestNonce, value.allBytes(ASCII.isPrintable) else {
            return false
        }
        nonce = value
        return true
    }

    /// Gets a new token before the present one ends. If there is none to be had, the present one stays.
    func renewIfNeeded() async {
        guard attempt == nil, let token, lastRenewal != number, token.endsSoon(at: WallTime.now().seconds) else {
            return
        }
        lastRenewal = number
        _ = await begin(.renewal(of: token)).end.value(until: .now() + Self.renewalTime)
    }

    /// Waits for a token that is newer than the one with this number.
    func newToken(after number: Int, until stop: Promise<Void>) async {
        while self.number <= number, stop.current == nil {
            let wake = Promise<Void>()
            next.whenFulfilled { wake.fulfil(()) }
            stop.whenFulfilled { wake.fulfil(()) }
            await wake.value
        }
    }

    /// The way to a token that is under way, or a new one.
    /// - Parameters:
    ///   - challenge: the `WWW-Authenticate` field of the refusal.
    ///   - isStepUp: whether more scopes are needed.
    /// - Returns: the way, and whether it has begun with this call.
    func attempt(_ challenge: String?, isStepUp: Bool) -> (Attempt, isNew: Bool) {
        if let attempt {
            askAgain(attempt)
            return (attempt, false)
        }
        let challenge = challenge.flatMap(Self.usable)
        let need: TokenNeed =
            switch (token, challenge, isStepUp) {
            case (let token?, let challenge?, true): .moreScopes(than: token, challenge: challenge)
            case (let token?, _, _): .another(than: token, challenge: challenge)
            case (nil, _, _): .first(challenge: challenge)
            }
        return (begin(need), true)
    }

    /// The challenge if an agent can read it.
    private static func usable(_ challenge: String) -> String? {
        guard challenge.utf8.count <= StepUpChallenge.maximumLength else { return nil }
        return (try? BearerChallenge(wwwAuthenticate: challenge)) == nil ? nil : challenge
    }

    private func begin(_ need: TokenNeed) -> Attempt {
        let attempt = Attempt(need)
        attempt.refused = token
        self.attempt = attempt
        loop.start { [self] in
            let end: End
            do {
                end = try await run(need, attempt)
            } catch let error as CommandError {
                end = .failed(error.hint.map { "\(error.description); \($0)" } ?? error.description)
            } catch {
                // An agent that has ended may be started again, or another source may be there.
                if case .unreachable? = error as? GatewayCallError, source?.outlivesProcess == true { source = nil }
                end = .failed("\(error)")
            }
            finish(attempt, end)
        }
        return attempt
    }

    private func finish(_ attempt: Attempt, _ end: End) {
        guard attempt.end.current == nil else { return }
        if self.attempt === attempt { self.attempt = nil }
        if let notice = attempt.notice {
            whenOver?(notice)
            switch end {
            case .token: notes.say("signed in to \(host)")
            case .failed(let words): notes.say("no sign-in to \(host): \(words)")
            }
        }
        attempt.finish(end)
    }

    private func adopt(_ token: AccessToken) {
        self.token = token
        number += 1
        next.fulfil(())
        next = Promise()
    }

    private func run(_ need: TokenNeed, _ attempt: Attempt) async throws -> End {
        let source = try await foundSource()
        switch try await source.ask(need, with: client) {
        case .token(let token):
            if token.text != self.token?.text { adopt(token) }
            return .token
        case .refused(let words): return .failed(words)
        case .signIn(let body):
            if case .renewal = need { return .failed("a sign-in is needed") }
            return try await signIn(body, source, attempt)
        }
    }

    private func foundSource() async throws -> any TokenSource {
        if let source { return source }
        let found = try await plan.source()
        source = found
        return found
    }

    // MARK: Sign-in

    private func signIn(_ body: JSONObject, _ source: any TokenSource, _ attempt: Attempt) async throws -> End {
        var fields = body
        fields["host_label"] = Host.label.map { .string($0) }
        let request = fields
        let signIn = try await PendingSignIn.begin(
            { request }, at: source.gateway, apiKey: source.apiKey, with: client, whenSetBack: saySetback)
        attempt.signIn = signIn
        let notice = SignInNotice(host: host, signIn)
        attempt.notice = notice
        attempt.waiting = announce(signIn)
        show(notice)
        attempt.isShown.fulfil(())
        let goesOn: () async -> Bool = { attempt.end.current == nil }
        var progress = try await signIn.wait(with: client, whenSetBack: saySetback, while: goesOn)
        if case .releaseRequired = progress {
            notes.say(notice.release)
            progress = try await signIn.wait(
                seen: .releaseRequired, with: client, whenSetBack: saySetback, while: goesOn)
        }
        guard case .outcome(let outcome) = progress else { return .failed("the gateway asks for a code again") }
        _ = try? await signIn.end(with: client)
        guard let token = source.take(outcome) else {
            let error = outcome["error"]?.object ?? [:]
            let words = error["description"]?.string.map { ": \($0)" } ?? ""
            let code = error["code"]?.string ?? "there is no token that can be used"
            return .failed("the sign-in failed: \(code)\(words)")
        }
        adopt(token)
        return .token
    }

    private func announce(_ signIn: PendingSignIn) -> WaitingSignIn? {
        do throws(CommandError) {
            return try WaitingSignIn.announce(signIn, title: "a sign-in to \(host) by switchyard mcp", with: client)
        } catch {
            notes.say(error.description)
            return nil
        }
    }

    private func show(_ notice: SignInNotice) {
        notes.say(notice.words)
        whenShown?(notice)
        loop.start { await notice.showOnDesktop() }
    }

    /// While a sign-in waits, another program may have signed in to the same resource at the agent.
    private func askAgain(_ attempt: Attempt) {
        guard let signIn = attempt.signIn, let source, source.outlivesProcess, !attempt.isAskingAgain else { return }
        attempt.isAskingAgain = true
        loop.start { [self] in
            defer { attempt.isAskingAgain = false }
            guard case .token(let token) = try? await source.ask(.first(challenge: nil), with: client),
                token.text != attempt.refused?.text, attempt.end.current == nil
            else { return }
            adopt(token)
            finish(attempt, .token)
            _ = try? await signIn.end(with: client)
        }
    }

    private func saySetback(_ failure: GatewayCallError) {
        notes.say("the sign-in waits: \(failure)")
    }

    /// Ends a sign-in that no other program can use.
    func close() async {
        let open = attempt
        if let open { finish(open, .failed("switchyard mcp has ended")) }
        guard let source else { return }
        let isClosed = Promise<Void>()
        loop.start { [client] in
            if let signIn = open?.signIn, !source.outlivesProcess { _ = try? await signIn.end(with: client) }
            await source.close()
            isClosed.fulfil(())
        }
        _ = await isClosed.value(until: .now() + Self.farewell)
    }
}
