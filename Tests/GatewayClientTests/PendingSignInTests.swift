import SwitchyardHTTPClient
import SwitchyardJOSE
import SwitchyardJSON
import SwitchyardReactor
import Synchronization
import TestSupport
import Testing

@testable import SwitchyardGatewayClient

/// A gateway that answers what a test has written down, in that order, and after that that it is stopping.
private final class Script: Sendable {
    struct State {
        var answers: [Result<GatewayResponse, GatewayCallError>]
        var calls: [GatewayCall] = []
        var pauses: [Duration] = []
        var setbacks: [String] = []
    }

    let state: Mutex<State>

    init(_ answers: [Result<GatewayResponse, GatewayCallError>]) { state = Mutex(State(answers: answers)) }

    var transport: PendingSignIn.Transport {
        PendingSignIn.Transport(
            send: { [self] call, _ async throws(GatewayCallError) in
                let next = state.withLock { state in
                    state.calls.append(call)
                    return state.answers.isEmpty
                        ? .failure(.local("the script has ended")) : state.answers.removeFirst()
                }
                return try next.get()
            }, pause: { [self] duration in state.withLock { $0.pauses.append(duration) } })
    }

    var calls: [String] { state.withLock { $0.calls.map { "\($0.method.rawValue) \($0.path)" } } }
    var pauses: [Duration] { state.withLock(\.pauses) }
    var setbacks: [String] { state.withLock(\.setbacks) }

    func note(_ failure: GatewayCallError) { state.withLock { $0.setbacks.append("\(failure)") } }
}

private typealias Reply = Result<GatewayResponse, GatewayCallError>

private func reply(_ status: Int, _ body: JSONObject = [:], retryAfter: Int? = nil) -> Reply {
    .success(GatewayResponse(status: status, body: body, retryAfter: retryAfter))
}

private let begun = reply(
    201,
    [
        "id": "ID", "result_token": "TOKEN", "start_url": "https://g/start/x", "reference": "REF",
        "redirect_uri": "https://g/app", "expires_in": 600,
    ])
private let proxy502 = Reply.failure(.answeredByAnother(status: 502, retryAfter: nil))
private let pending = reply(202, ["status": "pending"])
private let failed = reply(200, ["status": "failed", "error": ["code": "access_denied"]])

@Suite("A pending sign-in, by a gateway that follows a script") struct PendingSignInTests {
    private let loop: TestLoop

    init() throws { loop = try TestLoop() }

    private enum Ending: Sendable {
        case progress(PendingSignIn.Progress)
        case failure(GatewayCallError)
    }

    /// Begins with the first answers and waits with the rest.
    private func wait(_ script: Script, seen: SignInStatus = .pending) async -> Ending {
        await loop.run {
            let client = HTTPClient(loop: loop.loop)
            do throws(GatewayCallError) {
                let signIn = try await PendingSignIn.begin(
                    { ["app": "a"] }, over: script.transport, with: client, whenSetBack: script.note)
                return .progress(try await signIn.wait(seen: seen, with: client, whenSetBack: script.note))
            } catch {
                return .failure(error)
            }
        }
    }

    private func code(_ ending: Ending) -> String? {
        guard case .progress(.outcome(let outcome)) = ending else { return nil }
        return outcome["error"]?.object?["code"]?.string
    }

    @Test("a wait outlives a busy gateway, a restarting one, a proxy's page and a lost connection")
    func outlives() async {
        let script = Script([
            begun, pending, reply(429, ["error": "slow_down"], retryAfter: 7),
            reply(503, ["error": "temporarily_unavailable", "retry_after": 9]), proxy502,
            .failure(.answeredByAnother(status: 404, retryAfter: nil)), reply(500, ["error": "server_error"]), pending,
            proxy502,
            failed,
        ])
        let ending = await wait(script)
        #expect(code(ending) == "access_denied")
        // Neither ends it, and it is not canceled.
        #expect(script.calls.allSatisfy { !$0.hasPrefix("DELETE") })
        #expect(script.pauses.contains(.seconds(7)) && script.pauses.contains(.seconds(9)))
        // Told once for each row.
        #expect(script.setbacks.count == 2, "\(script.setbacks)")
    }

    @Test(
        "what will not pass ends the wait",
        arguments: [
            (404, "not_found"), (401, "invalid_dpop_proof"), (403, "invalid_request"), (400, "invalid_request"),
        ])
    func ends(status: Int, error: String) async {
        let script = Script([begun, reply(status, ["error": .string(error)], retryAfter: 3), failed])
        guard case .failure(.refused(let refusal)) = await wait(script) else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.status == status && refusal.code == error && refusal.retryAfter == 3)
    }

    @Test("a request that has expired is told as that")
    func expired() async {
        guard case .failure(.expired) = await wait(Script([begun, reply(410, ["error": "expired"])])) else {
            Issue.record("not expired")
            return
        }
    }

    @Test("the question for a code comes once; after it only the outcome counts")
    func release() async {
        let held = reply(202, ["status": "release_required"])
        guard case .progress(.releaseRequired) = await wait(Script([begun, pending, held])) else {
            Issue.record("no question")
            return
        }
        let script = Script([begun, held, pending, failed])
        #expect(code(await wait(script, seen: .releaseRequired)) == "access_denied")
        #expect(script.calls.last == "GET /v1/requests/ID?seen=pending")
    }

    @Test("a gateway that changes the status again and again is asked a few times a second, and its outcome is taken")
    func alternating() async {
        let held = reply(202, ["status": "release_required"])
        let script = Script([begun] + Array(repeating: [pending, held], count: 10).joined() + [failed])
        #expect(code(await wait(script, seen: .releaseRequired)) == "access_denied")
        #expect(script.pauses.count == 18)
        #expect(script.pauses.allSatisfy { $0 > .zero && $0 <= .milliseconds(250) })
    }

    @Test("a completed result that is not sealed is not taken")
    func notSealed() async {
        let open = reply(200, ["status": "completed", "token_response": ["access_token": "x"]])
        guard case .failure(.local(let words)) = await wait(Script([begun, open])) else {
            Issue.record("taken")
            return
        }
        #expect(words.contains("not sealed"))
    }

    @Test("a sign-in begins again while a proxy answers for a gateway that restarts")
    func begins() async {
        let script = Script([proxy502, .failure(.answeredByAnother(status: 503, retryAfter: 4)), begun, failed])
        #expect(code(await wait(script)) == "access_denied")
        #expect(script.pauses == [.milliseconds(500), .seconds(4)])
        #expect(script.calls.count { $0 == "POST /v1/requests" } == 3)
    }

    @Test("each try to begin has its own fields, because a gateway may have taken one whose answer was lost")
    func beginsAnew() async {
        let script = Script([proxy502, begun])
        let tries: Int? = await loop.run {
            var tries = 0
            let body = { () -> JSONObject in
                tries += 1
                return ["app": "a", "state": .string("state \(tries)")]
            }
            _ = try? await PendingSignIn.begin(body, over: script.transport, with: HTTPClient(loop: loop.loop))
            return tries
        }
        #expect(tries == 2)
        #expect(script.state.withLock { $0.calls.map { $0.body?["state"] } } == ["state 1", "state 2"])
    }

    @Test(
        "the gateway's own refusal to begin is told at once, with Retry-After from either place",
        arguments: [true, false])
    func refusedBegin(isHeader: Bool) async {
        let body: JSONObject = isHeader ? ["error": "slow_down"] : ["error": "slow_down", "retry_after": 5]
        let script = Script([reply(429, body, retryAfter: isHeader ? 5 : nil), begun])
        guard case .failure(let failure) = await wait(script) else {
            Issue.record("begun")
            return
        }
        #expect(failure.retryAfter == 5)
        #expect(script.calls.count == 1)
    }

    @Test("an answer without what a sign-in needs is none of a gateway")
    func malformed() async {
        guard case .failure(.malformedResponse) = await wait(Script([reply(201, ["id": "ID"])])) else {
            Issue.record("taken")
            return
        }
    }

    @Test(
        "nor is one that would do more in a terminal than be read",
        arguments: [
            ("start_url", "https://g/start/\u{1B}]52;c;ZXZpbA==\u{07}"), ("reference", "REF\u{202E}"),
            ("authorization_url", "https://i/\u{1B}[2J"), ("redirect_uri", "https://g/a b"),
        ])
    func unprintable(name: String, value: String) async throws {
        var body = try begun.get().body
        body[name] = .string(value)
        guard case .failure(.malformedResponse) = await wait(Script([reply(201, body)])) else {
            Issue.record("taken")
            return
        }
    }

    @Test(
        "a code is released, wrong, or not waited for any more",
        arguments: [
            (204, [:], "released"), (403, ["error": "invalid_code", "attempts_left": 2], "wrong 2"),
            (403, ["error": "invalid_code"], "wrong 0"), (409, [:], "over"), (404, [:], "over"), (410, [:], "over"),
            (403, ["error": "other"], "refused"), (503, [:], "refused"),
        ] as [(Int, JSONObject, String)])
    func codes(status: Int, body: JSONObject, expected: String) async {
        let script = Script([begun, reply(status, body)])
        let found = await loop.run { () -> String in
            let client = HTTPClient(loop: loop.loop)
            do throws(GatewayCallError) {
                let signIn = try await PendingSignIn.begin({ ["app": "a"] }, over: script.transport, with: client)
                switch try await signIn.release(code: "ABC", with: client) {
                case .released: return "released"
                case .wrong(let left): return "wrong \(left)"
                case .over: return "over"
                }
            } catch {
                return if case .refused = error { "refused" } else { "other" }
            }
        }
        #expect(found == expected)
        // Never a second time by itself: a wrong code would count twice.
        #expect(script.calls.count == 2)
    }

    @Test("each call proves the key, and says what it waits for")
    func calls() async {
        let script = Script([begun, failed])
        _ = await wait(script)
        let calls = script.state.withLock(\.calls)
        #expect(calls.map(\.token) == [nil, "TOKEN"])
        #expect(calls.first?.body?["result_proof"] == true && calls.first?.body?["result_key"] != nil)
        #expect(calls.last?.key != nil && calls.last?.wait == .seconds(50))
    }
}
