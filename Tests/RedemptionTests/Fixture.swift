import SwitchyardCrypto
import SwitchyardJSON
import SwitchyardOAuth
import SwitchyardReactor
import SwitchyardText
import Synchronization
import TestSupport
import Testing

@testable import SwitchyardRedemption

/// A redeemer on its loop, and an issuer with parts that a test can spoil.
final class Fixture: Sendable {
    static let metadataPath = "/.well-known/openid-configuration"

    let server = TestServer()
    let clock = TestClock()
    let redeemer: Redeemer
    let issuer: Issuer
    /// The reports of the requests to the issuer.
    let reports = Reports()
    private let loop: TestLoop
    private let script = IssuerScript()

    /// - Parameter alter: changes the settings, which have small limits from the start.
    init(
        keys: [TestKey] = [.rsa], retryDelay: Duration = .milliseconds(500),
        _ alter: (inout IssuerSettings) -> Void = { _ in }
    ) throws {
        loop = try TestLoop()
        let identifier = try EndpointURL(server.url, allowingLoopbackHTTP: true)
        var settings = IssuerSettings(
            name: "contoso", source: .discovery(identifier), allowsLoopbackHTTP: true, timeout: .seconds(5),
            maximumBytes: 64 * 1024)
        alter(&settings)
        issuer = Issuer(settings)
        let exchanges = reports
        redeemer = Redeemer(loop: loop.loop, time: clock.time, retryDelay: retryDelay) { exchange in
            exchanges.add(exchange)
        }
        self.alter {
            $0.metadata = .json(metadata())
            $0.keys = .json(Self.keySet(keys.map { $0.json() }))
        }
        server.handle { [script] in script.reply(to: $0) }
    }

    func alter(_ change: (inout IssuerScript.Parts) -> Void) {
        script.alter(change)
    }

    func metadata(issuer: String? = nil) -> String {
        let members: JSONObject = [
            "issuer": .string(issuer ?? server.url), "authorization_endpoint": .string(server.url + "/authorize"),
            "token_endpoint": .string(server.url + "/token"), "jwks_uri": .string(server.url + "/keys"),
        ]
        return String(decoding: JSONValue.object(members).serialized, as: UTF8.self)
    }

    static func keySet(_ keys: [JSONValue]) -> String {
        String(decoding: JSONValue.object(["keys": .array(keys)]).serialized, as: UTF8.self)
    }

    /// Claims that are right, but for `changes`; null takes one out.
    func claims(_ changes: JSONObject = [:]) -> JSONObject {
        let now = clock.time.wall().seconds
        var claims: JSONObject = [
            "iss": .string(server.url), "sub": "alice", "aud": "client", "nonce": "the-nonce",
            "exp": .integer(now + 300), "iat": .integer(now),
        ]
        for member in changes.members { claims[member.name] = member.value == .null ? nil : member.value }
        return claims
    }

    static func tokenResponse(_ idToken: String?, _ more: JSONObject = [:]) -> String {
        var members: JSONObject = ["access_token": "at", "token_type": "Bearer"]
        members["id_token"] = idToken.map { .string($0) }
        for member in more.members { members[member.name] = member.value }
        return String(decoding: JSONValue.object(members).serialized, as: UTF8.self)
    }

    func answerTokens(_ replies: Reply...) {
        alter { $0.tokens = replies }
    }

    func answerToken(signedBy key: TestKey = .rsa, _ algorithm: String = "RS256", _ changes: JSONObject = [:]) {
        answerTokens(.json(Self.tokenResponse(key.sign(claims(changes), algorithm))))
    }

    var request: RedemptionRequest {
        RedemptionRequest(
            .code(
                Secret("c0de"), redirectURI: "https://login.contoso.com/app1/auth", verifier: Secret("verifier")),
            expecting: TokenExpectations(
                issuer: issuer, clientID: "client", requestedScopes: Scopes(parsing: "openid mail"), nonce: "the-nonce"
            ))
    }

    /// Without an ID token, so that only the token endpoint counts.
    var plainRequest: RedemptionRequest {
        var request = request
        request.expectations.requestedScopes = Scopes(parsing: "mail")
        request.expectations.nonce = nil
        return request
    }

    func redeem(_ request: RedemptionRequest) async -> Result<RedeemedTokens, SignInFailure> {
        await loop.run { [redeemer] in
            do throws(SignInFailure) {
                return .success(try await redeemer.redeem(request))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Runs on the redeemer's loop.
    func run<Value: Sendable>(_ body: @escaping @Sendable (Redeemer) async -> Value) async -> Value {
        await loop.run { [redeemer] in await body(redeemer) }
    }

    func redeem() async -> Result<RedeemedTokens, SignInFailure> { await redeem(request) }

    func discover() async -> Result<IssuerMetadata, IssuerUnavailableError> { await discover(issuer) }

    /// The metadata of an issuer with another identifier than the fixture's.
    func discover(_ identifier: String) async throws -> Result<IssuerMetadata, IssuerUnavailableError> {
        let identifier = try EndpointURL(identifier, allowingLoopbackHTTP: true)
        let settings = IssuerSettings(name: "other", source: .discovery(identifier), allowsLoopbackHTTP: true)
        return await discover(Issuer(settings))
    }

    private func discover(_ issuer: Issuer) async -> Result<IssuerMetadata, IssuerUnavailableError> {
        await loop.run { [redeemer] in
            do throws(IssuerUnavailableError) {
                return .success(try await redeemer.metadata(for: issuer))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Settings of the same issuer without discovery.
    func configured(tokenEndpoint: String) throws -> IssuerSettings {
        let endpoint = { (text: String) in try EndpointURL(text, allowingLoopbackHTTP: true) }
        let metadata = IssuerMetadata(
            issuer: server.url, authorizationEndpoint: try endpoint(server.url + "/authorize"),
            tokenEndpoint: try endpoint(tokenEndpoint), jwksURI: try endpoint(server.url + "/keys"))
        return IssuerSettings(name: "configured", source: .configured(metadata), allowsLoopbackHTTP: true)
    }

    /// Waits for something that happens in the background.
    func settle(_ condition: () -> Bool) async {
        for _ in 0..<500 where !condition() { try? await Task.sleep(for: .milliseconds(10)) }
        if !condition() { Issue.record("what was waited for did not come") }
    }

    var tokenRequests: [ReceivedRequest] { server.requests.filter { $0.path == "/token" } }
}

/// Remembers what was told of exchanges with an issuer.
final class Reports: Sendable {
    private let exchanges = Mutex<[IssuerExchange]>([])

    func add(_ exchange: IssuerExchange) {
        exchanges.withLock { $0.append(exchange) }
    }

    /// `endpoint result`, and what the problem was.
    var all: [String] {
        exchanges.withLock { exchanges in
            exchanges.map {
                ([$0.endpoint.rawValue, $0.result.rawValue] + ($0.problem.map { [$0.label] } ?? [])).joined(
                    separator: " ")
            }
        }
    }
}

extension Result {
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
