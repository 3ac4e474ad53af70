internal import HTTPClient
internal import JOSE
internal import JSON
internal import Reactor

/// A sign-in that a command has begun with a gateway, and waits for.
struct PendingSignIn: Sendable {
    let id: String
    let reference: String
    /// For the browser.
    let startURL: String
    private let resultToken: String
    private let gateway: GatewayConnection
    /// Results are sealed to it, and it proves each call: a result token alone is worth nothing.
    private let key: PrivateKey

    /// Begins one, with a fresh key that the result is sealed to.
    /// - Parameter body: further fields of `POST /v1/requests`.
    static func begin(
        _ body: JSONObject, at gateway: GatewayConnection, with client: HTTPClient
    ) async throws -> PendingSignIn {
        guard let key = PrivateKey() else { throw CommandFailure("cannot make a key for the result") }
        var body = body
        body["result_key"] = .object(key.publicKey.json)
        body["result_proof"] = true
        let (status, begun) = try await gateway.call(.post, "/v1/requests", body: body, with: client)
        guard status == 201, let id = begun["id"]?.string, let token = begun["result_token"]?.string,
            let url = begun["start_url"]?.string, let reference = begun["reference"]?.string
        else { throw CommandFailure("the sign-in did not begin", status, begun) }
        return PendingSignIn(
            id: id, reference: reference, startURL: url, resultToken: token, gateway: gateway,
            key: key)
    }

    private init(
        id: String, reference: String, startURL: String, resultToken: String, gateway: GatewayConnection,
        key: PrivateKey
    ) {
        self.id = id
        self.reference = reference
        self.startURL = startURL
        self.resultToken = resultToken
        self.gateway = gateway
        self.key = key
    }

    private var path: String { "/v1/requests/\(id)" }

    enum Progress: Sendable {
        /// The page in the browser shows a code that has to be given to ``release(_:with:)``.
        case releaseRequired
        case outcome(JSONObject)
    }

    /// Waits until the status is another than it was.
    func wait(seen known: String = "pending", with client: HTTPClient) async throws -> Progress {
        var seen = known
        while true {
            let (status, body) = try await gateway.call(
                .get, "\(path)?seen=\(seen)", token: resultToken, key: key, wait: 50, with: client)
            switch status {
            case 200: return .outcome(try opened(body))
            case 202 where body["status"]?.string == "release_required" && known != "release_required":
                return .releaseRequired
            // A released sign-in reads as pending until it is redeemed.
            case 202: seen = body["status"]?.string ?? seen
            case 410: throw CommandFailure("the sign-in took too long; begin again")
            default: throw CommandFailure("the gateway did not give the outcome", status, body)
            }
        }
    }

    enum ReleaseAnswer: Sendable {
        case released
        case wrong(attemptsLeft: Int)
        /// It does not wait for a code, or no longer.
        case over
    }

    func release(code: String, with client: HTTPClient) async throws -> ReleaseAnswer {
        let (status, body) = try await gateway.call(
            .post, "\(path)/release", token: resultToken, key: key, body: ["code": .string(code)], with: client)
        switch status {
        case 204: return .released
        case 403 where body["error"] == "invalid_code":
            return .wrong(attemptsLeft: body["attempts_left"].flatMap(\.integer).map { Int($0) } ?? 0)
        case 409, 410, 404: return .over
        default: throw CommandFailure("the gateway did not take the code", status, body)
        }
    }

    /// Tells the gateway that the outcome has arrived.
    @discardableResult
    func acknowledge(with client: HTTPClient) async throws -> Int {
        try await gateway.call(.delete, path, token: resultToken, key: key, with: client).status
    }

    /// The outcome without its seal; a failure has none.
    private func opened(_ outcome: JSONObject) throws -> JSONObject {
        guard let sealed = outcome["jwe"]?.string else { return outcome }
        guard let plaintext = key.open(sealed), let object = (try? JSONValue.parse(plaintext))?.object else {
            throw CommandFailure("the result cannot be opened: it is sealed to another key, or was changed on its way")
        }
        return object
    }
}
