import SwitchyardCrypto
import SwitchyardOAuth
import SwitchyardRedemption
import Testing

@testable import SwitchyardGateway

@Suite("The client of a resource at one issuer") struct RegistrationStateTests {
    private static let now: Int64 = 1_800_000_000

    private func client(_ id: String, _ scope: String = "", endsAt: Int64? = nil) -> ClientRegistration {
        ClientRegistration(
            clientID: id, authentication: .clientSecretPost(Secret("secret of \(id)")), scope: Scopes(parsing: scope),
            redirectURI: "https://login.example/r/x", expiresAt: endsAt)
    }

    private func step(
        _ state: RegistrationState, _ scope: String = "", after seconds: Int64 = 0, of owner: String = "a"
    ) -> RegistrationState.Step {
        state.step(of: owner, covering: Scopes(parsing: scope), at: Self.now + seconds)
    }

    @Test("one caller registers, the others wait, and after its time the next one registers")
    func lock() throws {
        guard case .register(let locked) = step(RegistrationState()) else {
            Issue.record("nobody registers")
            return
        }
        #expect(step(locked, of: "b") == .wait && step(locked, after: RegistrationState.lockSeconds - 1) == .wait)
        guard case .register(let other) = step(locked, after: RegistrationState.lockSeconds, of: "b") else {
            Issue.record("the lock does not lapse")
            return
        }
        #expect(other.lock?.owner == "b" && locked.unlocked().isEmpty)
        #expect(step(locked.registered(client("1"))) == .use(client("1")))
        // A clock that is far ahead does not hold up others for long.
        guard case .register(let ahead) = step(RegistrationState(), after: 100_000), case .register = step(ahead) else {
            Issue.record("a lock of the future counts")
            return
        }
    }

    @Test("a client that covers too little, or whose secret ends, is replaced, and serves until then")
    func coverage() {
        let state = RegistrationState().registered(client("1", "read"))
        #expect(step(state, "read") == .use(client("1", "read")))
        guard case .register(let locked) = step(state, "read write") else {
            Issue.record("a step-up needs no client")
            return
        }
        #expect(
            step(locked, "read", of: "b") == .use(client("1", "read")) && step(locked, "read write", of: "b") == .wait)
        #expect(locked.unlocked() == state)
        let ending = client("2", endsAt: Self.now + 3600)
        let short = RegistrationState().registered(ending)
        #expect(step(short) == .use(ending))
        guard case .register = step(short, after: 3500) else {
            Issue.record("a secret that ends is used")
            return
        }
    }

    @Test("a second client that the issuer refuses before any token came is the last for an hour")
    func refusals() throws {
        let first = RegistrationState().registered(client("1"))
        #expect(first.refused("other", at: Self.now) == nil)
        let refused = try #require(first.refused("1", at: Self.now))
        guard case .register(let locked) = step(refused) else {
            Issue.record("no second client")
            return
        }
        let second = locked.registered(client("2"))
        let over = try #require(second.refused("2", at: Self.now))
        #expect(step(over) == .refuse && step(over, after: 3599) == .refuse)
        guard case .register(let again) = step(over, after: 3600) else {
            Issue.record("no client after an hour")
            return
        }
        #expect(again.registered(client("3")).isSecond == false)
        let used = try #require(second.used("2", at: Self.now))
        guard case .register = step(try #require(used.refused("2", at: Self.now))) else {
            Issue.record("a client that worked counts as never tried")
            return
        }
        #expect(used.used("2", at: Self.now + 60) == nil && used.used("2", at: Self.now + 90_000) != nil)
    }

    @Test("the client of tokens stays until tokens come with the one in its place")
    func previous() throws {
        let first = try #require(RegistrationState().registered(client("1", "read")).used("1", at: Self.now))
        let wider = first.registered(client("2", "read write"))
        #expect(wider.client == client("2", "read write") && wider.clientOfTokens == client("1", "read"))
        // Another begin that asks for more does not change that.
        let widest = wider.registered(client("3", "read write all"))
        #expect(widest.clientOfTokens == client("1", "read") && widest.scope.text == "read write all")
        #expect(widest.end(at: Self.now) > Self.now + 100_000_000 / 4)
        let used = try #require(widest.used("3", at: Self.now))
        #expect(used.previous == nil && used.clientOfTokens == client("3", "read write all"))
        let refused = try #require(widest.refused("3", at: Self.now))
        #expect(refused.client == nil && refused.clientOfTokens == client("1", "read"))
        #expect(try #require(widest.refused("1", at: Self.now)).clientOfTokens == client("3", "read write all"))
        // A client without a token is not in use.
        let untried = RegistrationState().registered(client("1")).registered(client("2"))
        #expect(untried.previous == nil && untried.clientOfTokens == client("2"))
        #expect(RegistrationState(packed: widest.packed) == widest)
    }

    @Test("it is read as it was written, and other bytes are refused")
    func packed() throws {
        let states = [
            RegistrationState(), RegistrationState().registered(client("1", "a b", endsAt: 5)),
            try #require(RegistrationState().registered(client("1")).refused("1", at: Self.now)),
            try #require(RegistrationState().registered(client("1")).used("1", at: Self.now)),
        ]
        for state in states {
            #expect(RegistrationState(packed: state.packed) == state)
            for count in 0..<state.packed.count {
                #expect(RegistrationState(packed: Array(state.packed.prefix(count))) == nil)
            }
        }
        for text in [
            "", "null", "[]", "{}", #"{"form":2}"#, #"{"form":1,"client":{"id":"a"}}"#,
            #"{"form":1,"previous":{"id":"a","method":"client_secret_post","redirect_uri":"u"}}"#,
            #"{"form":1,"client":1}"#,
            #"{"form":1,"pause":9223372036854775807}"#, #"{"form":1,"owner":"a","locked":-9223372036854775808}"#,
            #"{"form":1,"used":-1}"#,
        ] {
            #expect(RegistrationState(packed: Array(text.utf8)) == nil, "\(text)")
        }
    }
}
