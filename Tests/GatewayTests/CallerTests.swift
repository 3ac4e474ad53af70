import Reactor
import Routing
import Testing

@testable import Gateway

/// Rule 12: forwarded headers count only from trusted proxies.
@Suite("Caller") struct CallerTests {
    private static let proxies = ["10.0.0.0/8", "2001:db8:ffff::/48"].compactMap { Network($0) }

    private func caller(from peer: String, _ values: [String]) async throws -> String {
        // An address of IPv6 is given as it is; one of IPv4 with `mapped` comes as a dual-stack socket gives it.
        let isMapped = peer.hasPrefix("mapped ")
        let text = isMapped ? String(peer.dropFirst(7)) : peer
        let bytes = try bytes(of: text, isMapped: isMapped)
        let request = try await TestRequest.make(
            fields: values.map { "X-Forwarded-For: \($0)" }, from: .ip(address: bytes, port: 4000))
        return Caller(request, trusting: Self.proxies).text
    }

    private func bytes(of text: String, isMapped: Bool) throws -> [UInt8] {
        let parts = text.split(separator: ".").compactMap { UInt8($0) }
        if parts.count == 4 { return isMapped ? [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + parts : parts }
        // Of IPv6 these tests use one proxy's address only.
        try #require(text == "2001:db8:ffff::1")
        return [0x20, 0x01, 0x0D, 0xB8, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 9) + [1]
    }

    @Test(
        "who calls is the last address that no trusted proxy vouches for, and the peer itself without a proxy",
        arguments: [
            // From anybody else the header is nobody's.
            ("192.0.2.1", [], "192.0.2.1"), ("192.0.2.1", ["198.51.100.7"], "192.0.2.1"),
            ("192.0.2.1", ["10.0.0.1"], "192.0.2.1"), ("mapped 192.0.2.1", ["198.51.100.7"], "192.0.2.1"),
            ("11.0.0.1", ["198.51.100.7"], "11.0.0.1"),
            // One proxy.
            ("10.0.0.1", [], "10.0.0.1"), ("10.0.0.1", ["198.51.100.7"], "198.51.100.7"),
            ("mapped 10.0.0.1", ["198.51.100.7"], "198.51.100.7"), ("2001:db8:ffff::1", ["198.51.100.7"], "198.51.100.7"),
            // What the client forged stands in front of what the proxy wrote.
            ("10.0.0.1", ["127.0.0.1, 198.51.100.7"], "198.51.100.7"), ("10.0.0.1", ["127.0.0.1", "198.51.100.7"], "198.51.100.7"),
            ("10.0.0.1", ["rubbish, 198.51.100.7"], "198.51.100.7"), ("10.0.0.1", [" , ,198.51.100.7 "], "198.51.100.7"),
            // A chain of proxies.
            ("10.0.0.1", ["127.0.0.1, 198.51.100.7, 10.0.0.2"], "198.51.100.7"),
            ("10.0.0.1", ["127.0.0.1", "198.51.100.7", "10.0.0.3, 2001:db8:ffff::5"], "198.51.100.7"),
            ("10.0.0.1", ["198.51.100.7, ::ffff:10.0.0.2"], "198.51.100.7"), ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
            // What cannot be read ends the walk.
            ("10.0.0.1", ["rubbish"], "10.0.0.1"), ("10.0.0.1", [""], "10.0.0.1"), ("10.0.0.1", ["unknown"], "10.0.0.1"),
            ("10.0.0.1", ["198.51.100.7, rubbish"], "10.0.0.1"), ("10.0.0.1", ["198.51.100.7, rubbish, 10.0.0.2"], "10.0.0.2"),
            ("10.0.0.1", ["198.51.100.7:4711"], "10.0.0.1"), ("10.0.0.1", ["[2001:db8::7]"], "10.0.0.1"),
            ("10.0.0.1", ["198.51.100.07"], "10.0.0.1"), ("10.0.0.1", ["198.51.100"], "10.0.0.1"),
            // Other forms of an address.
            ("10.0.0.1", ["2001:DB8::7"], "2001:db8::7"), ("10.0.0.1", ["::ffff:198.51.100.7"], "198.51.100.7"),
        ] as [(String, [String], String)])
    func address(peer: String, values: [String], expected: String) async throws {
        #expect(try await caller(from: peer, values) == expected)
    }

    @Test("without trusted proxies no header counts")
    func noProxies() async throws {
        let request = try await TestRequest.make(
            fields: ["X-Forwarded-For: 198.51.100.7"], from: .ip(address: [127, 0, 0, 1], port: 1))
        #expect(Caller(request, trusting: []).text == "127.0.0.1")
    }

    @Test("other headers name nobody", arguments: ["Forwarded: for=198.51.100.7", "X-Real-IP: 198.51.100.7", "True-Client-IP: 198.51.100.7"])
    func otherHeaders(field: String) async throws {
        let request = try await TestRequest.make(fields: [field], from: .ip(address: [10, 0, 0, 1], port: 1))
        #expect(Caller(request, trusting: Self.proxies).text == "10.0.0.1")
    }

    @Test("on a Unix socket the caller is its user, whatever the headers say")
    func local() async throws {
        let request = try await TestRequest.make(fields: ["X-Forwarded-For: 198.51.100.7"], from: .local(uid: 1000))
        let caller = Caller(request, trusting: Self.proxies)
        #expect(caller.text == "uid:1000")
        #expect(caller.address == nil)
        #expect(caller.key == .user(1000))
    }

    @Test("limits count IPv6 by /64")
    func key() async throws {
        func key(_ value: String) async throws -> CallerKey {
            let request = try await TestRequest.make(
                fields: ["X-Forwarded-For: \(value)"], from: .ip(address: [10, 0, 0, 1], port: 1))
            return Caller(request, trusting: Self.proxies).key
        }
        #expect(try await key("2001:db8:1:2::1") == key("2001:db8:1:2:ffff::9"))
        #expect(try await key("2001:db8:1:2::1") != key("2001:db8:1:3::1"))
    }
}
