internal import SwitchyardCrypto
internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardJOSE
internal import SwitchyardJSON
internal import SwitchyardMCP
internal import SwitchyardReactor
internal import SwitchyardText

/// The reason why a token is asked for.
enum TokenNeed: Sendable {
    /// The server wants one. The challenge of its refusal, where it has one that can be read.
    case first(challenge: String?)
    /// The server refuses the last one.
    case another(than: AccessToken, challenge: String?)
    /// The server wants more scopes than the last one has.
    case moreScopes(than: AccessToken, challenge: String)
    /// The last one ends soon. No sign-in is made for that.
    case renewal(of: AccessToken)

    var challenge: String? {
        switch self {
        case .first(let challenge), .another(_, let challenge): challenge
        case .moreScopes(_, let challenge): challenge
        case .renewal: nil
        }
    }

    var isStepUp: Bool { if case .moreScopes = self { true } else { false } }
}

/// The answer to a question for a token.
enum TokenReply: Sendable {
    case token(AccessToken)
    /// A person has to sign in: the body for `POST /v1/requests`.
    case signIn(JSONObject)
    case refused(String)
}

/// A call whose token is bound to a key.
struct ProvenCall: Sendable {
    let method: String
    let url: String
    /// The last `DPoP-Nonce` of the server; nil without one.
    let nonce: String?
}

/// An agent or a gateway that gives tokens for one resource. Only from a task of the client's loop.
protocol TokenSource: AnyObject, Sendable {
    /// The place where sign-ins begin.
    var gateway: GatewayConnection { get }
    /// For the calls that begin a sign-in; nil without one.
    var apiKey: String? { get }
    /// Whether a sign-in goes on, and its token is kept, when this process ends.
    var outlivesProcess: Bool { get }

    func ask(_ need: TokenNeed, with client: HTTPClient) async throws(GatewayCallError) -> TokenReply
    /// Takes the outcome of a sign-in.
    /// - Returns: nil for one without a token that can be used.
    func take(_ outcome: JSONObject) -> AccessToken?
    /// The header fields of a call with a bound token.
    func fields(_ token: AccessToken, of call: ProvenCall, with client: HTTPClient) async -> [(String, String)]
    /// Ends the sign-in and the gateway of this process.
    func close() async
}

/// The members that each question has about the resource.
struct ResourceOptions: Sendable {
    /// The URL of the server.
    let resource: String
    /// nil for the scopes that the server asks for.
    let scope: String?
    /// An account at the agent, by identifier or user name; nil for the only one.
    let account: String?
    /// Whether requests to the authorization server name the resource.
    let sendsResource: Bool
}

/// This user's agent, or one in this process.
final class AgentTokenSource: TokenSource {
    let gateway: GatewayConnection
    let apiKey: String? = nil
    private let options: ResourceOptions
    private let own: OwnAgent?

    var outlivesProcess: Bool { own == nil }

    /// - Parameter own: the agent in this process, if it is that one.
    init(_ gateway: GatewayConnection, _ options: ResourceOptions, own: OwnAgent? = nil) {
        self.gateway = gateway
        self.options = options
        self.own = own
    }

    func ask(_ need: TokenNeed, with client: HTTPClient) async throws(GatewayCallError) -> TokenReply {
        var body: JSONObject = ["resource": .string(options.resource)]
        body["account"] = options.account.map { .string($0) }
        // A step-up is for the scopes of the challenge.
        if !need.isStepUp { body["scope"] = options.scope.map { .string($0) } }
        var refused: AccessToken?
        switch need {
        case .first, .renewal: break
        case .another(let token, let challenge):
            refused = token
            // Either keeps the agent from giving the refused token again.
            if let challenge { body["www_authenticate"] = .string(challenge) } else { body["force_refresh"] = true }
        case .moreScopes(let token, let challenge):
            refused = token
            body["www_authenticate"] = .string(challenge)
        }
        let answer = try await gateway.send(GatewayCall(.post, "/v1/tokens", body: body), with: client)
        if answer.status == 401, let request = answer.body["request"]?.object {
            return .signIn(completed(request, need))
        }
        guard answer.status == 200 else {
            let refusal = GatewayRefusal("the agent has no token", answer)
            let accounts = (answer.body["accounts"]?.array ?? []).compactMap { account in
                (account.object?["username"] ?? account.object?["id"])?.string
            }
            let hint = refusal.code == "account_required" ? "; --account takes one of \(accounts.quotable)" : ""
            return .refused("\(refusal)\(hint)")
        }
        guard let token = AccessToken(answer.body, at: WallTime.now().seconds) else {
            return .refused("the agent's token is of a type that this command does not know")
        }
        guard token.text != refused?.text else { return .refused("the agent has no other token than the refused one") }
        return .token(token)
    }

    private func completed(_ proposed: JSONObject, _ need: TokenNeed) -> JSONObject {
        var request = proposed
        if request["www_authenticate"] == nil {
            request["www_authenticate"] = need.challenge.map { .string($0) }
        }
        if request["scope"] == nil, !need.isStepUp { request["scope"] = options.scope.map { .string($0) } }
        if request["login_hint"] == nil { request["login_hint"] = options.account.map { .string($0) } }
        if !options.sendsResource { request["resource_parameter"] = false }
        return request
    }

    func take(_ outcome: JSONObject) -> AccessToken? {
        outcome["token_response"]?.object.flatMap { AccessToken($0, at: WallTime.now().seconds) }
    }

    /// The agent has the key, and signs.
    func fields(_ token: AccessToken, of call: ProvenCall, with client: HTTPClient) async -> [(String, String)] {
        var body: JSONObject = [
            "resource": .string(options.resource), "method": .string(call.method), "url": .string(call.url),
        ]
        body["account"] = options.account.map { .string($0) }
        body["nonce"] = call.nonce.map { .string($0) }
        guard let answer = try? await gateway.send(GatewayCall(.post, "/v1/proofs", body: body), with: client),
            answer.status == 200, let authorization = answer.body["authorization"]?.string,
            let proof = answer.body["dpop"]?.string,
            authorization.allBytes(ASCII.isPrintable), proof.allBytes(ASCII.isPrintable)
        else { return [token.field] }
        return [("Authorization", authorization), ("DPoP", proof)]
    }

    func close() async { await own?.stop() }
}

/// A gateway that keeps nothing: the refresh token is in this process alone.
///
/// Why `@unchecked Sendable`: it is used on the thread of the bridge's loop only.
final class GatewayTokenSource: TokenSource, @unchecked Sendable {
    let gateway: GatewayConnection
    let apiKey: String?
    let outlivesProcess = false
    private let options: ResourceOptions
    private var refreshToken: String?
    /// The scopes of the last sign-in.
    private var scopes: String?
    /// The key of bound tokens.
    private var key: PrivateKey?
    /// The address that proofs for the issuer name.
    private var tokenEndpoint: String?
    private var issuerNonce: String?

    init(_ gateway: GatewayConnection, apiKey: String?, _ options: ResourceOptions) {
        self.gateway = gateway
        self.apiKey = apiKey
        self.options = options
    }

    func ask(_ need: TokenNeed, with client: HTTPClient) async throws(GatewayCallError) -> TokenReply {
        if !need.isStepUp, let reply = try await refresh(need, with: client) { return reply }
        if case .renewal = need { return .refused("there is no refresh token") }
        var request: JSONObject = ["resource": .string(options.resource)]
        request["www_authenticate"] = need.challenge.map { .string($0) }
        if !need.isStepUp { request["scope"] = options.scope.map { .string($0) } }
        request["previous_scopes"] = scopes.map { .string($0) }
        return .signIn(request)
    }

    /// - Returns: nil if a sign-in is needed.
    private func refresh(
        _ need: TokenNeed, with client: HTTPClient
    ) async throws(GatewayCallError) -> TokenReply? {
        guard let token = refreshToken else { return nil }
        var answer = try await exchange(token, with: client)
        if answer.body["error"]?.object?["oauth_error"] == "use_dpop_nonce" {
            answer = try await exchange(token, with: client)
        }
        guard answer.status == 200 else {
            guard answer.status == 400 else {
                return .refused(GatewayRefusal("the token could not be refreshed", answer).description)
            }
            refreshToken = nil
            return nil
        }
        return adopt(answer.body).map { TokenReply.token($0) }
    }

    private func exchange(
        _ token: String, with client: HTTPClient
    ) async throws(GatewayCallError) -> GatewayResponse {
        var body: JSONObject = ["resource": .string(options.resource), "refresh_token": .string(token)]
        if let key, let tokenEndpoint {
            body["dpop"] = key.makeProof(
                method: "POST", url: tokenEndpoint, now: WallTime.now().seconds, nonce: issuerNonce
            ).map { .string($0) }
        }
        let call = GatewayCall(.post, "/v1/tokens", token: apiKey, body: body)
        let answer = try await gateway.send(call, with: client)
        issuerNonce = answer.body["dpop_nonce"]?.string ?? issuerNonce
        return answer
    }

    func take(_ outcome: JSONObject) -> AccessToken? {
        key = outcome["dpop_jwk"]?.object.flatMap { PrivateKey(exported: Secret(JSONValue.object($0).serialized)) }
        tokenEndpoint = outcome["token_endpoint"]?.string
        refreshToken = nil
        return adopt(outcome)
    }

    private func adopt(_ outcome: JSONObject) -> AccessToken? {
        guard let response = outcome["token_response"]?.object else { return nil }
        refreshToken = response["refresh_token"]?.string ?? refreshToken
        let granted = outcome["granted_scopes"]?.array?.compactMap(\.string) ?? []
        if !granted.isEmpty { scopes = granted.joined(separator: " ") }
        return AccessToken(response, at: WallTime.now().seconds)
    }

    func fields(_ token: AccessToken, of call: ProvenCall, with client: HTTPClient) async -> [(String, String)] {
        let proof = key?.makeProof(
            method: call.method, url: call.url, now: WallTime.now().seconds, token: token.text.exposedText,
            nonce: call.nonce)
        var fields: [(String, String)] = [token.field]
        if let proof { fields.append(("DPoP", proof)) }
        return fields
    }

    func close() async {}
}
