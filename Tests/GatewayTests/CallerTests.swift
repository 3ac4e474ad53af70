import Glibc
import SwitchyardHTTP
import SwitchyardReactor
import SwitchyardRouting
import Testing

@testable import SwitchyardGateway

/// (rules: forwarded headers from trusted proxies)
@Suite("Caller") struct CallerTests {
    private static let proxy = "10.0.0.1"

    private static func proxies() throws -> TrustedProxies {
        TrustedProxies(
            networks: try ["10.0.0.0/8", "2001:db8:ffff::/48"].map { try #require(Network($0)) }, uids: [33])
    }

    @Test(
        "a forwarding header of a peer that is no trusted proxy is ignored",
        arguments: [
            "192.0.2.1", "11.0.0.1", "2001:db8::1", "2001:db8:fffe::1", "::ffff:192.0.2.1", "127.0.0.1", "::1",
        ], ["198.51.100.7", "10.0.0.1", "127.0.0.1", "::1", "garbage", "198.51.100.7, 10.0.0.2"])
    func forged(peer: String, value: String) throws {
        #expect(try caller(peer, ["X-Forwarded-For: \(value)"]).address == IPAddress(peer))
    }

    @Test("without trusted proxies no header counts", arguments: ["10.0.0.1", "127.0.0.1", "::1"])
    func none(peer: String) throws {
        #expect(try caller(peer, ["X-Forwarded-For: 198.51.100.7"], TrustedProxies()).address == IPAddress(peer))
    }

    @Test(
        "behind trusted proxies it is the last address that none of them has",
        arguments: [
            (["198.51.100.7"], "198.51.100.7"),
            // Addresses in front of it may be made up.
            (["203.0.113.9, 198.51.100.7"], "198.51.100.7"), (["10.0.0.9, 198.51.100.7"], "198.51.100.7"),
            (["garbage, 198.51.100.7"], "198.51.100.7"), (["127.0.0.1,::1,198.51.100.7"], "198.51.100.7"),
            // Through several proxies, in one field or in several.
            (["198.51.100.7, 10.0.0.3, 10.0.0.2"], "198.51.100.7"),
            (["203.0.113.9, 198.51.100.7, 10.0.0.2"], "198.51.100.7"),
            (["203.0.113.9, 198.51.100.7", "10.0.0.2"], "198.51.100.7"),
            (["203.0.113.9", "198.51.100.7"], "198.51.100.7"), (["198.51.100.7", "2001:db8:ffff::2"], "198.51.100.7"),
            // White space and empty elements are free (RFC 9110 section 5.6.1).
            (["203.0.113.9,198.51.100.7"], "198.51.100.7"), (["  198.51.100.7\t,\t10.0.0.2 "], "198.51.100.7"),
            (["198.51.100.7,,10.0.0.2,"], "198.51.100.7"), (["198.51.100.7,, ,10.0.0.2"], "198.51.100.7"),
            (["198.51.100.7, ,"], "198.51.100.7"), (["198.51.100.7", " \t, "], "198.51.100.7"),
            // IPv6, and IPv4 inside it.
            (["2001:db8::7"], "2001:db8::7"), (["2001:DB8:0:0::7, 10.0.0.2"], "2001:db8::7"),
            (["::ffff:198.51.100.7"], "198.51.100.7"), (["198.51.100.7, ::ffff:10.0.0.2"], "198.51.100.7"),
            (["198.51.100.7, ::FFFF:a00:2"], "198.51.100.7"),
        ])
    func chain(values: [String], address: String) throws {
        #expect(try caller(Self.proxy, values.map { "X-Forwarded-For: \($0)" }).address == IPAddress(address))
    }

    @Test(
        "behind something that is no address nothing counts",
        arguments: [
            // Only proxies: the outermost counts.
            (["10.0.0.3, 10.0.0.2"], "10.0.0.3"), ([" , "], proxy),
            (["garbage"], proxy), ([""], proxy), (["unknown"], proxy), (["198.51.100.7, garbage"], proxy),
            (["198.51.100.7, garbage, 10.0.0.2"], "10.0.0.2"), (["198.51.100.7", "garbage", "10.0.0.2"], "10.0.0.2"),
            (["198.51.100.7:443"], proxy), (["[2001:db8::7]"], proxy), (["[2001:db8::7]:443"], proxy),
            (["198.51.100.07"], proxy), (["198.51.100"], proxy), (["198.51.100.256"], proxy), (["fe80::1%eth0"], proxy),
            (["\"198.51.100.7\""], proxy), (["198.51.100.7;10.0.0.2"], proxy), (["localhost"], proxy),
            (["198.51.100.7/32"], proxy), (["é"], proxy), (["3325256711"], proxy),
        ])
    func garbage(values: [String], seen: String) throws {
        let caller = try caller(Self.proxy, values.map { "X-Forwarded-For: \($0)" })
        #expect(caller.text == seen && caller.isNobody && caller.address == nil)
    }

    @Test(
        "a trusted proxy is known in every spelling of its address",
        arguments: ["10.0.0.1", "::ffff:10.0.0.1", "2001:db8:ffff:1::1"])
    func trusted(peer: String) throws {
        #expect(try caller(peer, ["x-forwarded-FOR: 198.51.100.7"]).address == IPAddress("198.51.100.7"))
        #expect(try caller(peer, []).address == nil)
    }

    @Test(
        "no other header says who calls",
        arguments: [
            "X-Real-IP: 198.51.100.7", "X-Forwarded: 198.51.100.7",
            "X-Forwarded-For-: 198.51.100.7", "X-Forwarded-Host: 198.51.100.7", "X_Forwarded_For: 198.51.100.7",
        ])
    func others(line: String) throws {
        let caller = try caller(Self.proxy, [line])
        #expect(caller.text == Self.proxy && caller.isNobody)
    }

    @Test(
        "Forwarded says it too (RFC 7239)",
        arguments: [
            ("for=198.51.100.7", "198.51.100.7"), ("For=198.51.100.7; Proto=https;by=203.0.113.43", "198.51.100.7"),
            ("proto=https;for=198.51.100.7", "198.51.100.7"), ("for=\"198.51.100.7:4711\"", "198.51.100.7"),
            ("for=\"[2001:db8::7]:4711\"", "2001:db8::7"), ("for=\"[2001:db8::7]\"", "2001:db8::7"),
            ("for=\"198.51.100.7:_port\"", "198.51.100.7"), ("for=203.0.113.9, for=198.51.100.7", "198.51.100.7"),
            ("for=203.0.113.9, for=198.51.100.7, for=10.0.0.2", "198.51.100.7"),
            ("for=\"a,for=203.0.113.9\", for=198.51.100.7", "198.51.100.7"),
            ("host=\"a;for=203.0.113.9\";for=198.51.100.7", "198.51.100.7"),
            // An unnamed element names no client.
            ("for=unknown", proxy), ("for=_hidden", proxy), ("proto=https", proxy), ("garbage", proxy), ("", proxy),
            ("for=198.51.100.7, for=unknown", proxy), ("for=198.51.100.7, proto=https", proxy),
            ("for=198.51.100.7;for=203.0.113.9", proxy), ("for=2001:db8::7", proxy), ("for=198.51.100.7:80", proxy),
            ("for=\"[198.51.100.7]\"", proxy), ("for=\"2001:db8::7\"", proxy), ("for=\"198.51.100.7", proxy),
            // A quote that a client leaves open must not swallow what the proxy wrote.
            ("for=203.0.113.9;x=\", for=198.51.100.7", proxy), ("for=203.0.113.9;x=\"\\, for=198.51.100.7", proxy),
            ("for=203.0.113.9;x=\", for=\"[2001:db8::7]\"", proxy), ("for=203.0.113.9;x=a\"b, for=198.51.100.7", proxy),
            ("for=203.0.113.9;x, for=198.51.100.7", proxy), ("for=203.0.113.9;x=\"a\"b\", for=198.51.100.7", proxy),
            ("for=\"[2001:db8::7]x\"", proxy), ("for=\"198.51.100.7:\"", proxy), ("for=\"\"", proxy),
        ])
    func forwarded(value: String, address: String) throws {
        #expect(try caller(Self.proxy, ["Forwarded: \(value)"]).text == address)
    }

    @Test("if the two headers disagree, the client is unknown: a proxy writes one, and a forged other one may pass it")
    func disagreement() throws {
        let named = "X-Forwarded-For: 198.51.100.7"
        #expect(try caller(Self.proxy, [named, "Forwarded: for=198.51.100.7"]).address == IPAddress("198.51.100.7"))
        for forged in ["for=203.0.113.9", "for=unknown", "garbage"] {
            #expect(try caller(Self.proxy, [named, "Forwarded: \(forged)"]).address == nil)
        }
    }

    @Test(
        "whichever field says that somebody asks for others, the peer's place is not the caller's",
        arguments: [
            "X-Forwarded-For", "Forwarded", "X-Real-IP", "True-Client-IP", "CF-Connecting-IP", "Fastly-Client-IP",
            "Fly-Client-IP", "X-Envoy-External-Address", "X-Original-Forwarded-For", "X-Azure-ClientIP",
            "CloudFront-Viewer-Address", "X-Appengine-User-IP", "Do-Connecting-IP", "X-Forwarded", "Client-IP", "Via",
        ])
    func forwardingFields(name: String) throws {
        for value in ["203.0.113.9", "", "unknown"] {
            let request = try Request.sample("/", ["\(name): \(value)"], from: .local(uid: 33))
            let caller = Caller(request, trusting: TrustedProxies())
            #expect(caller.isNobody && caller.uid == nil && PeerAddress(of: caller, request) == nil)
        }
    }

    @Test("a peer on a Unix socket without a forwarding header is its user")
    func unix() throws {
        let caller = try local(1000, [])
        #expect(caller.address == nil && caller.uid == 1000 && !caller.isNobody)
        #expect(caller.key == .user(1000) && caller.text == "uid:1000")
    }

    @Test(
        "a user on a Unix socket who asks for others is nobody: a proxy's user vouches for none of them",
        arguments: [
            "X-Forwarded-For: 198.51.100.7", "X-Forwarded-For: 127.0.0.1", "X-Forwarded-For:",
            "Forwarded: for=10.0.0.1",
            "X-Real-IP: ::1", "X-Forwarded-Proto: https", "Via: 1.1 proxy", "X-Forwarded-Host: login.example",
        ])
    func forwardingUser(line: String) throws {
        let request = try Request.sample("/", [line], from: .local(uid: 1000))
        let caller = Caller(request, trusting: try Self.proxies())
        #expect(caller.uid == nil && caller.address == nil && caller.isNobody)
        #expect(PeerAddress(of: caller, request) == nil && PeerAddress(ofBrowser: caller, request) == nil)
        // Its share of the limits is its own all the same.
        #expect(caller.key == .user(1000) && caller.text == "uid:1000")
    }

    @Test("a trusted proxy on a Unix socket says whose address it is, as one on TCP does")
    func trustedUser() throws {
        let request = try Request.sample("/", ["X-Forwarded-For: 198.51.100.7"], from: .local(uid: 33))
        let caller = Caller(request, trusting: try Self.proxies())
        #expect(caller.address == IPAddress("198.51.100.7") && caller.uid == nil && caller.isProxied)
        let place = try #require(IPAddress("198.51.100.7"))
        #expect(PeerAddress(ofBrowser: caller, request) == .address(place))
        #expect(try local(33, ["X-Forwarded-For: 203.0.113.9, 198.51.100.7, 10.0.0.2"]).address == place)
        #expect(try local(33, ["X-Forwarded-For: 127.0.0.1"]).address == IPAddress("127.0.0.1"))
    }

    @Test(
        "a trusted proxy on a Unix socket without a header, or with a bad one, speaks for nobody",
        arguments: [
            [], ["X-Forwarded-For: garbage"], ["X-Forwarded-For:"], ["X-Forwarded-For: 10.0.0.9"], ["Via: 1.1 x"],
        ])
    func silentTrustedUser(lines: [String]) throws {
        let request = try Request.sample("/", lines, from: .local(uid: 33))
        let caller = Caller(request, trusting: try Self.proxies())
        #expect(caller.uid == nil && caller.address == nil && caller.isNobody)
        #expect(PeerAddress(of: caller, request) == nil && PeerAddress(ofBrowser: caller, request) == nil)
    }

    @Test("::1, 127.0.0.1 and a Unix socket are one place: this machine")
    func thisMachine() throws {
        func place(_ peer: String, _ lines: [String] = []) throws -> PeerAddress? {
            let request = try Request.sample("/", lines, from: .ip(address: try Self.bytes(of: peer), port: 1))
            return PeerAddress(ofBrowser: Caller(request, trusting: try Self.proxies()), request)
        }
        for peer in ["::1", "127.0.0.1", "::ffff:127.0.0.1"] { #expect(try place(peer) == .thisMachine) }
        for peer in ["::1", "127.0.0.1"] {
            #expect(try place(Self.proxy, ["X-Forwarded-For: \(peer)"]) == .thisMachine)
        }
        #expect(try place("127.0.0.1", ["X-Forwarded-For: 127.0.0.1"]) == nil)
        let request = try Request.sample("/", from: .local(uid: 1000))
        #expect(PeerAddress(of: Caller(request, trusting: try Self.proxies()), request) == .thisMachine)
    }

    @Test(
        "under a public address, who comes to a proxy from loopback was passed on by something beside it, and is nobody",
        arguments: ["127.0.0.1", "::1"], [false, true])
    func loopbackBehindProxy(address: String, isPublic: Bool) throws {
        let proxies = TrustedProxies(uids: [33], canVouchForLocalhost: !isPublic)
        for fields in [["X-Forwarded-For: \(address)"], ["X-Forwarded-For: 203.0.113.9, \(address)"]] {
            let request = try Request.sample("/", fields, from: .local(uid: 33))
            let caller = Caller(request, trusting: proxies)
            #expect(caller.isNobody == isPublic && (caller.address == nil) == isPublic)
            #expect((PeerAddress(of: caller, request) == nil) == isPublic)
        }
        for other in ["203.0.113.9", "127.0.0.2"] {
            let elsewhere = try Request.sample("/", ["X-Forwarded-For: \(other)"], from: .local(uid: 33))
            #expect(Caller(elsewhere, trusting: proxies).address == IPAddress(other))
        }
    }

    @Test("a user that the kernel cannot tell from others is unknown, and no list lets it in")
    func unknownUser() throws {
        let nobody = try local(nil, [])
        #expect(nobody.uid == nil && nobody.address == nil && nobody.isNobody)
        let proxies = TrustedProxies(networks: [], uids: [.max, 65534])
        let request = try Request.sample("/", ["X-Forwarded-For: 198.51.100.7"], from: .local(uid: nil))
        #expect(Caller(request, trusting: proxies).address == nil)
    }

    @Test(
        "IPv6 counts by /64, IPv4 by address",
        arguments: [
            ("2001:db8::1", "2001:db8::ffff:2", true), ("2001:db8::1", "2001:db8:0:1::1", false),
            ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
            ("192.0.2.1", "::ffff:192.0.2.1", true),
        ])
    func key(first: String, second: String, isSame: Bool) throws {
        #expect((try caller(first, []).key == caller(second, []).key) == isSame)
    }

    @Test(
        "a proxy that names nobody has no address of its own, and is nowhere",
        arguments: ["", "10.0.0.9", "garbage", "198.51.100.7:1, 10.0.0.2", "1.2.3.4\u{600}, 198.51.100.7:1"])
    func proxyItself(value: String) throws {
        let request = try Request.sample(
            "/", value.isEmpty ? [] : ["X-Forwarded-For: \(value)"],
            from: .ip(address: try Self.bytes(of: Self.proxy), port: 1))
        let caller = Caller(request, trusting: try Self.proxies())
        #expect(caller.address == nil)
        #expect(!caller.isKnown(by: request))
        #expect(PeerAddress(of: caller, request) == nil)
    }

    @Test("a log names the address", arguments: ["192.0.2.1", "2001:db8::1"])
    func text(peer: String) throws {
        let caller = try caller(peer, [])
        #expect(caller.text == peer)
        #expect(caller.uid == nil)
    }

    /// The caller behind a request of a peer with these field lines.
    private func caller(_ peer: String, _ lines: [String], _ proxies: TrustedProxies? = nil) throws -> Caller {
        let request = try Request.sample("/", lines, from: .ip(address: try Self.bytes(of: peer), port: 4711))
        return Caller(request, trusting: try proxies ?? Self.proxies())
    }

    private func local(_ uid: UInt32?, _ lines: [String]) throws -> Caller {
        Caller(try Request.sample("/", lines, from: .local(uid: uid)), trusting: try Self.proxies())
    }

    /// The bytes of an address as the kernel gives them; those of `::ffff:a.b.c.d` as a dual-stack socket does.
    private static func bytes(of text: String) throws -> [UInt8] {
        let family = text.contains(":") ? AF_INET6 : AF_INET
        var bytes = [UInt8](repeating: 0, count: family == AF_INET6 ? 16 : 4)
        let result = unsafe inet_pton(family, text, &bytes)
        try #require(result == 1)
        return bytes
    }
}
