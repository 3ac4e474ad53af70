import SwitchyardReactor
import Synchronization
import Testing

@testable import SwitchyardClient

@Suite("Refreshes of one process", .timeLimit(.minutes(1)))
struct RefreshQueueTests {
    private let queue = RefreshQueue()
    private let runtime: ClientRuntime

    init() throws {
        runtime = try #require(ClientRuntime.shared)
    }

    private func key(_ scopes: [String] = ["a"], force: Bool = false) throws -> RefreshQueue.Key {
        let settings = try ClientSettings(
            PublicClientApplicationConfiguration(
                clientID: "client", bundleID: "com.contoso.mail", authority: try .oidc(issuer: "https://id.example")))
        return RefreshQueue.Key(
            try SilentRequest(
                SilentTokenParameters(
                    scopes: scopes, account: Account(identifier: "alice", environment: "id"), forceRefresh: force),
                settings))
    }

    private func result(_ token: String, expiresOn: Int64 = 1000) -> AuthenticationResult {
        AuthenticationResult(
            accessToken: token, scopes: ["a"], expiresOn: UnixTime(secondsSince1970: expiresOn),
            account: Account(identifier: "alice", environment: "id"))
    }

    @Test("are one for all who want the same, and one each for those who do not")
    func shared() async throws {
        let (queue, runtime, gate, count) = (queue, runtime, Promise<Void>(), Counter())
        let (one, other, forced) = (try key(["a", "B"]), try key(["c"]), try key(["b", "A"], force: true))
        #expect(try key(["b", "A"]) == one && forced != one)
        let tasks = [one, one, one, other].map { key in
            Task {
                try await queue.run(key, on: runtime) { () async throws(AuthenticationError) in
                    let number = count.next()
                    await gate.value
                    return result("\(number)")
                }
            }
        }
        while count.value < 2 { await Task.yield() }
        // Time in which another caller could begin one.
        for _ in 0..<100 { await Task.yield() }
        gate.fulfil(())
        var tokens: [String] = []
        for task in tasks { tokens.append(try await task.value.accessToken) }
        #expect(Set(tokens).count == 2 && Set(tokens[0..<3]).count == 1 && count.value == 2)
    }

    @Test("go on for the others when one of the callers gives up")
    func canceled() async throws {
        let (queue, runtime, gate, begun) = (queue, runtime, Promise<Void>(), Promise<Void>())
        let key = try key()
        let work: @Sendable () async throws(AuthenticationError) -> AuthenticationResult = {
            begun.fulfil(())
            await gate.value
            return result("at")
        }
        let first = Task { try await queue.run(key, on: runtime, work) }
        await begun.value
        let second = Task { try await queue.run(key, on: runtime, work) }
        first.cancel()
        await #expect(throws: AuthenticationError.self) { try await first.value }
        gate.fulfil(())
        #expect(try await second.value.accessToken == "at")
    }

    @Test("are remembered for as long as their token should hold")
    func memory() async throws {
        let (key, forced) = (try key(), try key(force: true))
        func isGood(_ now: Int64, buffer: Int64 = 0) -> Bool {
            queue.isProbablyGood(key, at: UnixTime(secondsSince1970: now), buffer: buffer)
        }
        #expect(!isGood(0))
        _ = try await queue.run(forced, on: runtime) { () async throws(AuthenticationError) in result("at") }
        #expect(isGood(1000) && !isGood(1001) && isGood(900, buffer: 100) && !isGood(901, buffer: 100))
        await #expect(throws: AuthenticationError.self) {
            try await queue.run(key, on: runtime) { () async throws(AuthenticationError) in
                throw AuthenticationError(.network, nil, "down")
            }
        }
        #expect(!isGood(0))
    }
}

private final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
