import SwitchyardCrypto
import SwitchyardHTTP
import SwitchyardPendingRequests
import Testing

@testable import SwitchyardGateway

@Suite("The cookie of the browser that brought a callback") struct CallbackCookieTests {
    private let record: RequestRecord

    init() throws {
        record = try .sample()
    }

    private var name: String { "__Host-sy-done-\(record.reference)" }

    private func cookie(_ fields: String...) throws -> CallbackCookie? {
        CallbackCookie(Cookies(try .sample("/", fields.map { "Cookie: \($0)" })), for: record.reference)
    }

    /// The `Set-Cookie` fields of the answer to a browser that has `cookies`.
    private func answer(secret: Secret = Secret("s"), toBrowserWith cookies: [String]) throws -> [String] {
        var response = Response(.seeOther)
        let lines = cookies.isEmpty ? [] : ["Cookie: " + cookies.joined(separator: "; ")]
        CallbackCookie.add(to: &response, secret: secret, for: record, Cookies(try .sample("/", lines)))
        #expect(response.fields.count == response.fields.values("set-cookie").count)
        return response.fields.values("set-cookie")
    }

    @Test("the cookie of a sign-in is found among others")
    func found() throws {
        let value = "\(name)=\(record.id).the-secret"
        for fields in [[value], ["a=b; \(value); c=d"], ["\(value);c=d"], ["a=b;  \(value)"], ["a=b", value]] {
            let request = try Request.sample("/", fields.map { "Cookie: \($0)" })
            let cookie = try #require(CallbackCookie(Cookies(request), for: record.reference))
            #expect(cookie.id == record.id)
            #expect(cookie.secret == Secret("the-secret"))
            #expect(cookie.hash == SHA256Digest(of: "the-secret"))
        }
    }

    @Test("it is found behind any number of others, which a sibling's domain may have set")
    func foundBehindMany() throws {
        let others = (0..<400).map { "name-\($0)=value" }.joined(separator: "; ")
        #expect(try #require(try cookie("\(others); \(name)=\(record.id).s")).secret == Secret("s"))
    }

    @Test("a cookie ends at its semicolon, whatever stands behind it")
    func combiningMark() throws {
        let value = "\(name)=\(record.id).s"
        #expect(try #require(try cookie("\(value);\u{301} a=b")).secret == Secret("s"))
        let set = try answer(toBrowserWith: (0..<9).map { "__Host-sy-done-\($0);\u{301}x=\u{301}y" })
        #expect(!set.dropFirst().isEmpty)
        for field in set.dropFirst() { #expect(field.utf8.count { $0 == UInt8(ascii: ";") } == 5) }
    }

    @Test("without any cookie there is none")
    func absent() throws {
        #expect(try cookie() == nil)
        #expect(try cookie("") == nil)
        #expect(try cookie("; ;;=") == nil)
    }

    @Test("only the cookie with this sign-in's own name counts")
    func otherNames() throws {
        let value = "\(record.id).s"
        #expect(try cookie("__Host-sy-done-\(Reference())=\(value)") == nil)
        for other in [
            "sy-done-\(record.reference)", "__Secure-sy-done-\(record.reference)", name.lowercased(), name + "0",
            "x" + name, String(name.dropLast()),
        ] {
            #expect(try cookie("\(other)=\(value)") == nil)
            #expect(try cookie("a=\(other)=\(value)") == nil)
        }
    }

    @Test("a value that is no id with a secret is none")
    func badValues() throws {
        let id = "\(record.id)"
        for value in [
            "", ".", id, "\(id)s", ".s", "\(id.dropLast()).s", "\(id)A.s", "\"\(id).s\"", "%\(id.dropFirst()).s",
        ] {
            #expect(try cookie("\(name)=\(value)") == nil)
        }
    }

    @Test("the cookie that an answer sets comes back as the same sign-in's")
    func roundTrip() throws {
        let secret = CallbackCookie.makeSecret()
        let set = try #require(try answer(secret: secret, toBrowserWith: []).first)
        let pair = try #require(set.split(separator: ";").first)
        let back = try #require(try cookie(String(pair)))
        #expect(back.id == record.id)
        #expect(back.hash == SHA256Digest(of: secret.exposedBytes))
    }

    @Test("the cookie is bound to this origin, kept from scripts, and lives as long as the request is remembered")
    func attributes() throws {
        let set = try answer(toBrowserWith: [])
        #expect(set == ["\(name)=\(record.id).s; Path=/; Max-Age=1200; Secure; HttpOnly; SameSite=Lax"])
    }

    @Test("secrets are fresh and have 128 bits")
    func secrets() {
        let secrets = (0..<100).map { _ in CallbackCookie.makeSecret() }
        #expect(Set(secrets).count == 100)
        for secret in secrets { #expect(Base64URL.decode(secret.exposedText)?.count == 16) }
    }

    @Test("never more than eight pile up, and the oldest go first", arguments: [0, 1, 7, 8, 9, 20])
    func surplus(count: Int) throws {
        let names = (0..<count).map { _ in "__Host-sy-done-\(Reference())" }
        // Cookies of others stand between them and are left alone.
        let set = try answer(toBrowserWith: names.flatMap { ["\($0)=\(RequestID()).s", "session=\(Reference())"] })
        let dropped = set.dropFirst().map { $0.split(separator: "=").first.map(String.init) }
        #expect(dropped == Array(names.prefix(max(0, count - 7))))
        #expect(count - dropped.count + 1 <= 8)
        for field in set.dropFirst() {
            #expect(field.hasSuffix("=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax"))
        }
    }
}
