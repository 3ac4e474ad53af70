import Testing

@testable import SwitchyardHTTP

@Suite("Host and port") struct HostAndPortTests {
    private func parse(_ text: String) -> HostAndPort? { HostAndPort(Array(text.utf8)[...]) }

    @Test(
        "host and port are read, the host in lower case",
        arguments: [
            ("a", "a", nil), ("Login.Contoso.COM", "login.contoso.com", nil), ("a:80", "a", 80), ("a:", "a", nil),
            ("a:0", "a", 0), ("a:65535", "a", 65535), ("a:00080", "a", 80), ("127.0.0.1:8443", "127.0.0.1", 8443),
            ("[::1]", "[::1]", nil), ("[2001:DB8::1]:443", "[2001:db8::1]", 443),
            ("[::ffff:1.2.3.4]", "[::ffff:1.2.3.4]", nil),
            ("a_b-c.", "a_b-c.", nil),
        ] as [(String, String, Int?)])
    func accepted(text: String, host: String, port: Int?) {
        let authority = parse(text)
        #expect(authority.map { String(decoding: $0.host, as: UTF8.self) } == host)
        #expect(authority?.port == port)
    }

    @Test(
        "anything else is none",
        arguments: [
            "", ":80", "a:65536", "a:123456", "a:8x", "a:-1", "a:+1", "a: 1", "a b", "u@a", "a/", "a?", "a#", "a%41",
            "[", "[]", "[::1", "::1", "[::1]x", "[::1]80", "[::1%25eth0]", "[g::1]", "é", "a\u{0}", "a,b", "a\\b", " a",
            "a ",
        ])
    func refused(text: String) {
        #expect(parse(text) == nil)
    }
}
