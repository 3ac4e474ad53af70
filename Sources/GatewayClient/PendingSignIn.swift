public import SwitchyardHTTPClient
internal import SwitchyardJOSE
public import SwitchyardJSON
internal import SwitchyardReactor

/// A sign-in that was begun with a gateway and is waited for. Its result is sealed to a key of its own, and each call
/// proves that key: a result token alone is worth nothing.
public struct PendingSignIn: Sendable {
    public let id: String
    /// Names it to people, here and in the browser.
    public let reference: String
    /// For the browser.
    public let startURL: String
    public let redirectURI: String
    private let resultToken: String
    private let gateway: GatewayConnection
    private let key: PrivateKey

    /// Begins one. Only from a task of the client's loop, as everything here.
    /// - Parameters:
    ///   - body: fields of `POST /v1/requests`; those for the seal are added.
    ///   - apiKey: where the gateway asks who begins.
    public static func begin(
        _ body: JSONObject, at gateway: GatewayConnection, apiKey: String? = nil, with client: HTTPClient
    ) async throws(GatewayFailure) -> PendingSignIn {
        guard let key = PrivateKey() else { throw .local("cannot make a key for the result") }
        var body = body
        body["result_key"] = .object(key.publicKey.json)
        body["result_proof"] = true
        let (status, begun) = try await gateway.call(.post, "/v1/requests", token: apiKey, body: body, with: client)
        guard status == 201 else {
            throw .refused(what: "the sign-in did not begin", status: status, body: begun)
        }
        guard let signIn = PendingSignIn(begun, gateway, key) else {
            throw .malformedAnswer("the gateway began a sign-in without saying all that it should")
        }
        return signIn
    }

    private init?(_ begun: JSONObject, _ gateway: GatewayConnection, _ key: PrivateKey) {
        guard let id = begun["id"]?.string, let token = begun["result_token"]?.string,
            let url = begun["start_url"]?.string, let reference = begun["reference"]?.string,
            let redirectURI = begun["redirect_uri"]?.string
        else { return nil }
        self.id = id
        self.reference = reference
        self.redirectURI = redirectURI
        startURL = url
        resultToken = token
        self.gateway = gateway
        self.key = key
    }

    /// What ``wait(seen:with:whenUnreachable:)`` waits for.
    public enum Progress: Sendable {
        /// The page in the browser shows a code that has to be given to ``release(code:with:)``.
        case releaseRequired
        /// What the gateway's API answers, unsealed.
        case outcome(JSONObject)
    }

    /// How often in a row a gateway that cannot be reached is asked again: it may be restarting.
    private static let maximumFailures = 5

    /// Waits for what comes next: the question for a release code, or the outcome.
    /// - Parameters:
    ///   - known: the status that the caller knows; after `release_required` only the outcome counts.
    ///   - whenUnreachable: called each time that the gateway cannot be reached and is asked again.
    public func wait(
        seen known: String = "pending", with client: HTTPClient, whenUnreachable: () -> Void = {}
    ) async throws(GatewayFailure) -> Progress {
        var seen = known
        var failures = 0
        while true {
            guard !Task.isCancelled else { throw .local("the wait was canceled") }
            let begin = Instant.now()
            let (status, body): (Int, JSONObject)
            do throws(GatewayFailure) {
                (status, body) = try await call(.get, "?seen=\(seen)", wait: 50, with: client)
            } catch {
                guard case .unreachable = error, failures < Self.maximumFailures, !Task.isCancelled else { throw error }
                failures += 1
                whenUnreachable()
                await EventLoop.sleep(until: Instant.now() + .milliseconds(500 * failures))
                continue
            }
            failures = 0
            switch status {
            case 200: return .outcome(try opened(body))
            case 202 where body["status"]?.string == "release_required" && known != "release_required":
                return .releaseRequired
            case 202:
                // A released sign-in reads as pending until it is redeemed.
                let told = body["status"]?.string ?? seen
                // A gateway that has nothing new and says so at once is stopping, or not well: it is not hurried.
                if told == seen { await EventLoop.sleep(until: max(begin + .seconds(1), Instant.now())) }
                seen = told
            case 410: throw .expired
            default: throw .refused(what: "the gateway did not give the outcome", status: status, body: body)
            }
        }
    }

    /// What a release code was worth.
    public enum ReleaseAnswer: Sendable {
        case released
        /// - Parameter attemptsLeft: 0 when the sign-in has ended with it.
        case wrong(attemptsLeft: Int)
        /// It does not wait for a code, or no longer.
        case over
    }

    /// Gives in the code that the page in the browser shows. Case, spaces and hyphens do not count.
    /// - Throws: ``GatewayFailure`` when there is no answer, or none that is known; the code may be given in again.
    public func release(code: String, with client: HTTPClient) async throws(GatewayFailure) -> ReleaseAnswer {
        let (status, body) = try await call(.post, "/release", body: ["code": .string(code)], with: client)
        switch status {
        case 204: return .released
        case 403 where body["error"] == "invalid_code":
            return .wrong(attemptsLeft: body["attempts_left"].flatMap(\.integer).map { Int($0) } ?? 0)
        case 409, 410, 404: return .over
        default: throw .refused(what: "the gateway did not take the code", status: status, body: body)
        }
    }

    /// Ends it: tells the gateway that the outcome has arrived, or cancels what is still pending.
    /// - Returns: the status of the answer.
    @discardableResult
    public func end(with client: HTTPClient) async throws(GatewayFailure) -> Int {
        try await call(.delete, with: client).status
    }

    private func call(
        _ method: OutgoingRequest.Method, _ more: String = "", body: JSONObject? = nil, wait seconds: Int = 0,
        with client: HTTPClient
    ) async throws(GatewayFailure) -> (status: Int, body: JSONObject) {
        try await gateway.call(
            method, "/v1/requests/\(id)\(more)", token: resultToken, key: key, body: body, wait: seconds, with: client)
    }

    /// The outcome without its seal; a failure has none.
    private func opened(_ outcome: JSONObject) throws(GatewayFailure) -> JSONObject {
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
