public import SwitchyardCrypto
public import SwitchyardHTTPClient
internal import SwitchyardJOSE
public import SwitchyardJSON
internal import SwitchyardReactor
internal import SwitchyardText

/// A sign-in that was begun with a gateway and is waited for. Its result is sealed to a key of its own, and each call
/// proves that key: a result token alone is useless.
public struct PendingSignIn: Sendable {
    public let id: String
    /// Names it to people, here and in the browser.
    public let reference: String
    /// For the browser. Empty where the app composes its own authorization request: with completion `response`,
    /// without a challenge.
    public let startURL: String
    public let redirectURI: String
    private let resultToken: Secret
    /// The issuer's address for the person's consent; the same as ``startURL`` if the app wants that page first.
    public let authorizationURL: String
    private let transport: Transport
    private let key: PrivateKey
    /// The expiry of the request, if the browser does not come back.
    private let end: Instant
    /// The life of the request, if the browser does not come back, in seconds.
    public let lifetime: Int

    /// How calls are made and time goes by.
    struct Transport: Sendable {
        var send: @Sendable (GatewayCall, HTTPClient) async throws(GatewayCallError) -> GatewayResponse
        /// Returns after the time, or sooner if the task is canceled.
        var pause: @Sendable (Duration) async -> Void = Self.sleep

        init(
            send: @escaping @Sendable (GatewayCall, HTTPClient) async throws(GatewayCallError) -> GatewayResponse,
            pause: @escaping @Sendable (Duration) async -> Void = Self.sleep
        ) {
            self.send = send
            self.pause = pause
        }

        init(_ gateway: GatewayConnection) {
            self.init { call, client async throws(GatewayCallError) in try await gateway.send(call, with: client) }
        }

        @Sendable private static func sleep(_ duration: Duration) async {
            let end = Instant.now() + duration
            while !Task.isCancelled, Instant.now() < end {
                await EventLoop.sleep(until: min(end, Instant.now() + .seconds(1)))
            }
        }
    }

    /// nil when the gateway does not say all that it should.
    init?(_ begun: JSONObject, _ needsAddress: Bool, _ transport: Transport, _ key: PrivateKey) {
        guard let id = begun["id"]?.string, let token = begun["result_token"]?.string,
            let url = begun["start_url"]?.string ?? (needsAddress ? nil : ""),
            let reference = begun["reference"]?.string,
            let redirectURI = begun["redirect_uri"]?.string,
            case let authorizationURL = begun["authorization_url"]?.string ?? url,
            // They are shown in terminals, which take more than words.
            [url, authorizationURL, reference, redirectURI].allSatisfy({ $0.utf8.allSatisfy { 0x21...0x7E ~= $0 } })
        else { return nil }
        self.id = id
        self.reference = reference
        self.redirectURI = redirectURI
        startURL = url
        resultToken = Secret(token)
        self.authorizationURL = authorizationURL
        self.transport = transport
        self.key = key
        lifetime = Int(min(max(begun["expires_in"]?.integer ?? 600, 1), 86_400))
        end = .now() + .seconds(lifetime)
    }

    // MARK: Another process

    /// The secrets with which another process can continue. They give access to the outcome of the sign-in. nil only if
    /// memory is short.
    public var resumption: Secret? {
        guard let key = key.exported else { return nil }
        let left = max(0, (end - .now()).components.seconds)
        return Secret(
            JSONValue.object([
                "id": .string(id), "reference": .string(reference), "redirect_uri": .string(redirectURI),
                "result_token": .string(resultToken.exposedText), "key": .string(key.exposedText),
                "lifetime": .integer(Int64(lifetime)), "ends_at": .integer(WallTime.now().seconds + left),
            ]).serialized)
    }

    /// Goes on with one that another process has begun. Its addresses for the browser are no longer known.
    /// - Parameter resumption: as ``resumption`` gave it; nil for anything else.
    public init?(resuming resumption: Secret, at gateway: GatewayConnection) {
        guard let json = (try? JSONValue.parse(resumption.exposedBytes))?.object, let id = json["id"]?.string,
            let reference = json["reference"]?.string, let redirectURI = json["redirect_uri"]?.string,
            let token = json["result_token"]?.string, let text = json["key"]?.string,
            let key = PrivateKey(exported: Secret(text)), let lifetime = json["lifetime"]?.integer,
            let endsAt = json["ends_at"]?.integer
        else { return nil }
        self.id = id
        self.reference = reference
        self.redirectURI = redirectURI
        startURL = ""
        authorizationURL = ""
        resultToken = Secret(token)
        transport = Transport(gateway)
        self.key = key
        self.lifetime = Int(lifetime)
        // If the clock was set in between, the request still does not live longer than its lifetime.
        end = .now() + .seconds(min(max(0, endsAt - WallTime.now().seconds), lifetime))
    }

    /// The events that ``wait(seen:with:whenSetBack:while:)`` waits for.
    public enum Progress: Sendable {
        /// The page in the browser shows a code that has to be given to ``release(code:with:)``.
        case releaseRequired
        /// The unsealed answer of the gateway's API.
        case outcome(JSONObject)
    }

    /// Waits for the next event: the question for a release code, or the outcome. It continues after broken
    /// connections, and while a gateway is busy or restarts, until the request's own end. `Retry-After` is honoured. If
    /// a gateway still says "not yet" a day after that, the wait ends.
    /// - Parameters:
    ///   - known: the status that the caller knows; after `releaseRequired` only the outcome counts.
    ///   - whenSetBack: called for the first of each row of failed calls, with the reason.
    ///   - goesOn: asked before each call; once it is false the sign-in counts as expired.
    public func wait(
        seen known: SignInStatus = .pending, with client: HTTPClient,
        whenSetBack: (GatewayCallError) -> Void = { _ in },
        while goesOn: () async -> Bool = { true }
    ) async throws(GatewayCallError) -> Progress {
        var seen = known
        var changes = 0
        var retries = RetryPlan(until: end, at: .now())
        while true {
            guard !Task.isCancelled else { throw .canceled }
            guard Instant.now() < end + Self.longestRelease, await goesOn() else { throw .expired }
            let begin = Instant.now()
            do throws(GatewayCallError) {
                let answer = try await call(.get, "?seen=\(seen.rawValue)", wait: .seconds(50), with: client)
                let step = try step(answer, known)
                retries.answered(at: .now())
                switch step {
                case .done(let progress): return progress
                case .pending(let told):
                    if told ?? seen != seen { changes += 1 }
                    let rest = begin + Self.interval(told ?? seen == seen, changes) - Instant.now()
                    if rest > .zero { await transport.pause(rest) }
                    seen = told ?? seen
                }
            } catch {
                guard error.isPassing, !Task.isCancelled,
                    let pause = retries.pause(retryAfter: error.retryAfter, at: .now())
                else { throw error }
                if retries.isFirstSetback { whenSetBack(error) }
                await transport.pause(pause)
            }
        }
    }

    /// The shortest time of a call, the pause after it included. A gateway that answers at once without news is
    /// stopping, or unwell. An honest gateway changes the status twice before the outcome; those changes are not slowed
    /// down.
    private static func interval(_ isUnchanged: Bool, _ changes: Int) -> Duration {
        if isUnchanged { return .seconds(1) }
        return changes <= 2 ? .zero : .milliseconds(250)
    }

    /// The longest time for which a gateway may hold a code (`release_lifetime`).
    private static let longestRelease = Duration.seconds(86_400)

    private enum Step {
        case done(Progress)
        /// - Parameter told: the status that the gateway names. A released sign-in reads as pending
        ///   until it is redeemed.
        case pending(told: SignInStatus?)
    }

    private func step(_ answer: GatewayResponse, _ known: SignInStatus) throws(GatewayCallError) -> Step {
        let told = answer.body["status"]?.string.flatMap { SignInStatus(rawValue: $0) }
        switch answer.status {
        case 200: return .done(.outcome(try opened(answer.body)))
        case 202 where told == .releaseRequired && known != .releaseRequired: return .done(.releaseRequired)
        case 202: return .pending(told: told)
        case 410: throw .expired
        default: throw .refused(GatewayRefusal("the gateway did not give the outcome", answer))
        }
    }

    /// The result of giving in a release code.
    public enum ReleaseResponse: Sendable {
        case released
        /// - Parameter attemptsLeft: 0 when the sign-in has ended with it.
        case wrong(attemptsLeft: Int)
        /// It does not wait for a code, or no longer.
        case over
    }

    /// A proof that browser and program belong together.
    public enum ReleaseProof: Sendable {
        /// The code on the page in the browser. Case, spaces and hyphens do not count.
        case code(String)
        /// The ticket that the browser has brought to the app.
        case ticket(String)
    }

    /// Gives in the code that the page in the browser shows.
    /// - Throws: as ``release(_:with:)``.
    public func release(code: String, with client: HTTPClient) async throws(GatewayCallError) -> ReleaseResponse {
        try await release(.code(code), with: client)
    }

    /// Gives in a proof.
    /// - Throws: ``GatewayCallError`` without an answer, or for an unknown one; the proof may be given in again.
    public func release(
        _ proof: ReleaseProof, with client: HTTPClient
    ) async throws(GatewayCallError) -> ReleaseResponse {
        let body: JSONObject =
            switch proof {
            case .code(let code): ["code": .string(code)]
            case .ticket(let ticket): ["ticket": .string(ticket)]
            }
        let answer = try await call(.post, "/release", body: body, with: client)
        switch answer.status {
        case 204: return .released
        case 403 where answer.body["error"] == "invalid_code":
            return .wrong(attemptsLeft: answer.body["attempts_left"].flatMap(\.integer).map { Int($0) } ?? 0)
        case 409, 410, 404: return .over
        default: throw .refused(GatewayRefusal("the gateway did not take the code", answer))
        }
    }

    /// Ends it: tells the gateway that the outcome has arrived, or cancels a pending sign-in.
    /// - Returns: the status of the answer.
    @discardableResult
    public func end(with client: HTTPClient) async throws(GatewayCallError) -> Int {
        try await call(.delete, with: client).status
    }

    private func call(
        _ method: OutgoingRequest.Method, _ more: String = "", body: JSONObject? = nil, wait: Duration = .zero,
        with client: HTTPClient
    ) async throws(GatewayCallError) -> GatewayResponse {
        let call = GatewayCall(
            method, "/v1/requests/\(id)\(more)", token: resultToken.exposedText, key: key, body: body, wait: wait)
        return try await transport.send(call, client)
    }

    /// Unseals the outcome; a failure is unsealed already.
    private func opened(_ outcome: JSONObject) throws(GatewayCallError) -> JSONObject {
        guard let sealed = outcome["jwe"]?.string else {
            guard outcome["status"]?.string != "completed" else {
                throw .local("the result is not sealed, though it was asked to be: it was changed on its way")
            }
            return outcome
        }
        guard let plaintext = key.open(sealed), let object = (try? JSONValue.parse(plaintext))?.object else {
            throw .local("the result cannot be opened: it is sealed to another key, or was changed on its way")
        }
        return object
    }
}
