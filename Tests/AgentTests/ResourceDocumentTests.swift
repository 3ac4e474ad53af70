import SwitchyardClient
import SwitchyardCrypto
import SwitchyardGateway
import SwitchyardOAuth
import SwitchyardRedemption
import SwitchyardTokenStorage
import Testing

@testable import SwitchyardAgent

@Suite("What an agent keeps of resources") struct ResourceDocumentTests {
    private static let now = UnixTime(secondsSince1970: 1_800_000_000)

    private func client(_ id: String, scope: String = "", endsAt: Int64? = nil) -> ClientRegistration {
        ClientRegistration(
            clientID: id, authentication: .clientSecretPost(Secret("s")), scope: Scopes(parsing: scope),
            redirectURI: "http://127.0.0.1:4711/resource/x", expiresAt: endsAt)
    }

    @Test("a program that signs in without end pushes out its own sign-ins only", arguments: [(0, 520), (60_000, 60)])
    func flood(size: Int, count: Int) throws {
        var document = ResourceDocument()
        let honest = try (0..<20).map { try grant("honest\($0).example", size: 2000) }
        for one in honest { document.put(one) }
        for number in 0..<count { document.put(try grant("a\(number).evil.example", size: size, by: "flatpak evil")) }
        for one in honest { #expect(document.grant(one.key) == one) }
        let bytes = document.serialized.count
        #expect(document.grants.count <= 512 && bytes < 4 << 20)
        #expect(document.grants.first?.grant.resource == "https://a\(count - 1).evil.example/mcp")
        // Renewed tokens count as well.
        let large = try grant("honest0.example", size: 3 << 20)
        _ = document.renew(large, of: honest[0])
        #expect(document.grant(large.key) == nil)
    }

    @Test("sign-ins of unknown programs are no share together, and the oldest gives way")
    func unknownPrograms() throws {
        var document = ResourceDocument()
        // Ten have room.
        func grants(_ numbers: Range<Int>, by beginner: String) throws -> [KeptGrant] {
            try numbers.map { try grant("\($0).example", size: 200_000, by: beginner) }
        }
        let unknown = try grants(10..<14, by: "")
        for one in unknown { document.put(one) }
        for one in try grants(20..<32, by: "flatpak evil") { document.put(one) }
        for one in unknown { #expect(document.grant(one.key) == one) }
        #expect(document.grants.count == 10)
        let more = try grants(40..<52, by: "")
        for one in more { document.put(one) }
        #expect(document.grants == more.suffix(10).reversed())
    }

    @Test("clients that no sign-in has are few, and push out no other")
    func clients() throws {
        var document = ResourceDocument()
        document.put(try grant("honest.example"))
        document.put(client("client of honest.example"), at: "https://id.honest.example", for: "base")
        let long = String(repeating: "s", count: 4000)
        for number in 0..<600 {
            document.put(client("\(number)", scope: long), at: "https://id.evil.example", for: "\(number)")
        }
        #expect(document.clients.count == 33 && document.serialized.count < 1 << 20)
        #expect(document.client(at: "https://id.honest.example", for: "base") != nil)
        #expect(document.client(at: "https://id.evil.example", for: "599") != nil)
        #expect(document.client(at: "https://id.evil.example", for: "0") == nil)
    }

    @Test("all of it is read again as it was written, with the end of a secret and the lease")
    func roundTrip() throws {
        var document = ResourceDocument()
        let one = try grant("a.example")
        document.put(one)
        document.put(client("1", scope: "a b", endsAt: 77), at: "https://id.a.example", for: "base")
        let isFirst = document.takeLease(of: one.key, for: "another agent", at: Self.now, seconds: 40)
        #expect(isFirst)
        var read = try ResourceDocument(stored: document.serialized)
        #expect(read.grants == document.grants && read.clients == document.clients)
        #expect(read.client(at: "https://id.a.example", for: "base")?.expiresAt == 77)
        func take(_ owner: String, after seconds: Int64) -> Bool {
            let time = UnixTime(secondsSince1970: Self.now.secondsSince1970 + seconds)
            return read.takeLease(of: one.key, for: owner, at: time, seconds: 40)
        }
        #expect(!take("me", after: 0))
        // The agent that has it renews the tokens, which ends it.
        _ = read.renew(one, of: one)
        #expect(take("me", after: 0) && !take("other", after: 39))
        // An agent that was killed holds the others up until its time is over.
        #expect(take("other", after: 41))
    }

    @Test("a document of a later version stays, and anything else is corrupt")
    func versions() throws {
        func kind(_ text: String) -> TokenStorageError.Kind? {
            do throws(TokenStorageError) {
                _ = try ResourceDocument(stored: Array(text.utf8))
                return nil
            } catch {
                return error.kind
            }
        }
        #expect(kind("{\"version\":2}") == .denied)
        for text in ["", "{}", "[]", "{\"version\":\"1\"}"] { #expect(kind(text) == .corrupt, "\(text)") }
        #expect(kind("{\"version\":1}") == nil)
        #expect(try ResourceDocument(stored: nil).isEmpty)
    }

    @Test("what one agent could not store is added to what another one has stored meanwhile")
    func merge() throws {
        var base = ResourceDocument()
        for host in ["kept.example", "left.example", "renewed.example"] { base.put(try grant(host)) }
        base.put(client("old"), at: "https://id.kept.example", for: "base")
        base = try ResourceDocument(stored: base.serialized)
        var (mine, stored) = (base, base)
        mine.remove(try grant("left.example").key)
        mine.put(try grant("mine.example"))
        mine.removeClient("old", at: "https://id.kept.example")
        mine.put(client("new"), at: "https://id.mine.example", for: "base")
        stored.put(try grant("theirs.example"))
        _ = stored.renew(try grant("renewed.example", token: "new"), of: try grant("renewed.example"))
        stored.take(mine, changedSince: base)
        let resources = Set(stored.grants.map(\.grant.resource))
        #expect(resources == Set(["kept", "renewed", "mine", "theirs"].map { "https://\($0).example/mcp" }))
        let renewed = try grant("renewed.example", token: "new")
        #expect(stored.grant(renewed.key) == renewed)
        #expect(stored.clients.map(\.client.clientID) == ["new"])
    }
}
