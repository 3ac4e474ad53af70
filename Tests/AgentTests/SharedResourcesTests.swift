import SwitchyardClient
import SwitchyardCrypto
import SwitchyardGateway
import SwitchyardOAuth
import SwitchyardReactor
import SwitchyardTokenStorage
import Synchronization
import TestSupport
import Testing

@testable import SwitchyardAgent

/// Two agents with one storage, which fails one of them for a while.
@Suite("Two agents that share the tokens of resources") struct SharedResourcesTests {
    /// The shared storage, as one agent finds it.
    private final class View: TokenStorage {
        enum State { case open, full, unreadable }

        let shared: MemoryStorage
        private let state = Mutex(State.open)

        init(of shared: MemoryStorage) { self.shared = shared }

        var summary: String { "a view of memory" }

        func become(_ new: State) { state.withLock { $0 = new } }

        func read() throws(TokenStorageError) -> [UInt8]? {
            if state.withLock(\.self) == .unreadable { throw Self.failure }
            return try shared.read()
        }

        func update<Value>(_ change: (inout [UInt8]?) -> Value) throws(TokenStorageError) -> Value {
            if state.withLock(\.self) != .open { throw Self.failure }
            return try shared.update(change)
        }

        func setAside() throws(TokenStorageError) { try shared.setAside() }

        private static let failure = TokenStorageError(.io, "it fails in this test", remedy: "go on")
    }

    private struct Pair: Sendable {
        let view: View
        /// The agent that the storage fails.
        let mine: Agent
        let theirs: Agent
        let first: KeptGrant
        let second: KeptGrant
        let third: KeptGrant
        /// Another URL that the sign-in serves.
        let other: ResourceURL

        init() throws {
            let shared = MemoryStorage()
            view = View(of: shared)
            mine = Self.agent(on: view)
            theirs = Self.agent(on: shared)
            first = try grant("a.example", token: "t1", refresh: "r1")
            second = try grant("a.example", token: "t2", refresh: "r2")
            third = try grant("a.example", token: "t3", refresh: "r3")
            other = try ResourceURL("https://a.example/mcp/other", allowingLoopbackHTTP: false)
        }

        private static func agent(on storage: any TokenStorage) -> Agent {
            Agent(
                keeping: .memory, resources: OpenedStorage(.memory, name: "", storage: storage),
                tellingPerson: { _ in })
        }

        /// Both have the sign-in, and `mine` has a change that it could not store.
        func part() async {
            await mine.keep(first, telling: { _ in })
            view.become(.full)
            await mine.serve(other, by: first.key)
            #expect(mine.keepingProblem != nil)
        }

        /// The storage is well again, and takes what `mine` has.
        func join() async {
            view.become(.open)
            await mine.vault.move()
            #expect(mine.keepingProblem == nil)
        }

        func renew(_ agent: Agent, to next: KeptGrant) async -> KeptGrant? {
            try? await agent.renew(first) { _ in next }
        }

        func stored() throws -> KeptGrant? {
            try ResourceDocument(stored: view.shared.read()).grant(first.key)
        }
    }

    /// - Returns: the sign-in that the storage has in the end.
    private func play(_ scene: @escaping @Sendable (Pair) async -> Void) async throws -> KeptGrant? {
        let (test, pair) = (try TestLoop(), try Pair())
        await test.run { await scene(pair) }
        return try pair.stored()
    }

    // MARK: Changes that come from memory

    @Test("one more URL comes to the tokens that another agent has renewed")
    func url() async throws {
        let stored = try await play { pair in
            await pair.part()
            #expect(await pair.renew(pair.theirs, to: pair.second) != nil)
            await pair.join()
        }
        #expect(stored?.refreshToken == Secret("r2"))
        #expect(stored?.askedURLs == ["https://a.example/mcp", "https://a.example/mcp/other"])
    }

    @Test("a refused token ends no newer one")
    func refused() async throws {
        let stored = try await play { pair in
            await pair.part()
            #expect(await pair.renew(pair.theirs, to: pair.second) != nil)
            await #expect(throws: SignInFailure(.invalidGrant)) {
                try await pair.mine.renew(pair.first) { _ throws(SignInFailure) in throw SignInFailure(.invalidGrant) }
            }
            await pair.join()
        }
        #expect(stored?.refreshToken == Secret("r2"))
    }

    @Test("a refused token goes")
    func refusedAlone() async throws {
        let stored = try await play { pair in
            await pair.part()
            _ = try? await pair.mine.renew(pair.first) { _ throws(SignInFailure) in throw SignInFailure(.invalidGrant) }
            await pair.join()
        }
        #expect(stored == nil)
    }

    @Test("an account that is signed out stays out", arguments: [false, true])
    func signedOutThere(renews: Bool) async throws {
        let stored = try await play { pair in
            await pair.part()
            if renews { #expect(await pair.renew(pair.mine, to: pair.second)?.refreshToken == Secret("r2")) }
            _ = try? await pair.theirs.remove(pair.first.key)
            await pair.join()
        }
        #expect(stored == nil)
    }

    @Test("a sign-out ends renewed tokens too")
    func signedOutHere() async throws {
        let stored = try await play { pair in
            await pair.part()
            _ = try? await pair.mine.remove(pair.first.key)
            #expect(await pair.renew(pair.theirs, to: pair.second) != nil)
            await pair.join()
        }
        #expect(stored == nil)
    }

    @Test("a new sign-in takes the place of renewed tokens")
    func signedInAnew() async throws {
        let stored = try await play { pair in
            await pair.part()
            await pair.mine.keep(pair.third, telling: { _ in })
            #expect(await pair.renew(pair.theirs, to: pair.second) != nil)
            await pair.join()
        }
        #expect(stored?.refreshToken == Secret("r3"))
    }

    @Test("renewed tokens come in the place of those that were seen")
    func renewed() async throws {
        let stored = try await play { pair in
            await pair.part()
            #expect(await pair.renew(pair.mine, to: pair.second)?.refreshToken == Secret("r2"))
            await pair.join()
        }
        #expect(stored?.refreshToken == Secret("r2"))
    }

    @Test("tokens that came while the storage did not open are kept until the sign-out", arguments: [false, true])
    func unreadable(signsOut: Bool) async throws {
        let stored = try await play { pair in
            await pair.mine.keep(pair.first, telling: { _ in })
            let renewed = try? await pair.mine.renew(pair.first) { _ throws(SignInFailure) in
                pair.view.become(.unreadable)
                return pair.second
            }
            #expect(renewed?.refreshToken == Secret("r2"))
            if signsOut { _ = try? await pair.theirs.remove(pair.first.key) }
            await pair.join()
        }
        #expect(stored?.refreshToken == (signsOut ? nil : Secret("r2")))
    }

    // MARK: Once the storage is well again

    @Test("an agent sees the other's renewed tokens before it asks the issuer")
    func seesFirst() async throws {
        let stored = try await play { pair in
            await pair.part()
            #expect(await pair.renew(pair.theirs, to: pair.second) != nil)
            pair.view.become(.open)
            #expect(await pair.renew(pair.mine, to: pair.third)?.refreshToken == Secret("r2"))
        }
        #expect(stored?.refreshToken == Secret("r2"))
    }

    @Test("a sign-out takes the refresh token that counts, to be revoked")
    func revokes() async throws {
        let stored = try await play { pair in
            await pair.part()
            #expect(await pair.renew(pair.theirs, to: pair.second) != nil)
            pair.view.become(.open)
            let removed = try? await pair.mine.remove(pair.first.key)
            #expect(removed?.refreshToken == Secret("r2"))
        }
        #expect(stored == nil)
    }

    @Test("a refresh has its lease in the storage")
    func lease() async throws {
        let stored = try await play { pair in
            await pair.part()
            pair.view.become(.open)
            _ = try? await pair.mine.renew(pair.first) { _ throws(SignInFailure) in
                var document = try? ResourceDocument(stored: pair.view.shared.read())
                let isFree = document?.takeLease(of: pair.first.key, for: "another", at: .now(), seconds: 40)
                #expect(isFree == false)
                return pair.second
            }
        }
        #expect(stored?.refreshToken == Secret("r2"))
    }

    @Test("a wait for another agent's refresh ends with an error that says when to try again")
    func otherTakesLong() async throws {
        let stored = try await play { pair in
            await pair.mine.keep(pair.first, telling: { _ in })
            _ = try? await pair.theirs.vault.update { document in
                document.takeLease(of: pair.first.key, for: "another", at: .now(), seconds: 40)
            }
            let error = await #expect(throws: SignInFailure.self) {
                try await Agent.renew(pair.first, in: pair.mine.vault, patience: RefreshWait(seconds: 0)) { _ in
                    pair.second
                }
            }
            #expect(error?.code == .temporarilyUnavailable && error?.retryAfter == 5)
        }
        #expect(stored?.refreshToken == Secret("r1"))
    }

    @Test("tokens of a refresh without a lease do not replace the other agent's")
    func refreshedTwice() async throws {
        let stored = try await play { pair in
            await pair.part()
            let renewed = try? await pair.mine.renew(pair.first) { _ throws(SignInFailure) in
                _ = await pair.renew(pair.theirs, to: pair.second)
                pair.view.become(.open)
                return pair.third
            }
            #expect(renewed?.refreshToken == Secret("r2"))
        }
        #expect(stored?.refreshToken == Secret("r2"))
    }
}
