import Testing

@testable import SwitchyardRouting

@Suite("Hosts that are no servers of the public internet") struct SpecialUseTests {
    @Test(
        "a host of this machine or of its network is judged by what it leads to",
        arguments: [
            ("127.0.0.1", SpecialUse.loopback), ("127.9.9.9", .loopback), ("localhost", .loopback),
            ("LOCALHOST.", .loopback), ("app.localhost", .loopback), ("[::1]", .loopback),
            ("[::ffff:127.0.0.1]", .loopback), ("[::ffff:7f00:1]", .loopback), ("[::127.0.0.1]", .loopback),
            ("2130706433", .loopback), ("0x7f000001", .loopback), ("0x7f.1", .loopback), ("017700000001", .loopback),
            ("0177.0.0.01", .loopback), ("127.1", .loopback), ("127.0.0.1.", .loopback),
            ("0x7F.0x0.0x0.0x1", .loopback),
            ("[64:ff9b::7f00:1]", .loopback), ("[2002:7f00:1::]", .loopback),
            ("0.0.0.0", .unspecified), ("0", .unspecified), ("0x", .unspecified), ("[::]", .unspecified),
            ("10.0.0.1", .privateNetwork), ("172.16.0.1", .privateNetwork), ("172.31.255.255", .privateNetwork),
            ("192.168.1.1", .privateNetwork), ("3232235777", .privateNetwork), ("[fc00::1]", .privateNetwork),
            ("[fdff::1]", .privateNetwork), ("[fec0::1]", .privateNetwork), ("[::ffff:10.1.2.3]", .privateNetwork),
            ("169.254.169.254", .linkLocal), ("[fe80::1]", .linkLocal), ("[febf::1]", .linkLocal),
            ("100.64.0.1", .sharedNetwork), ("100.127.255.255", .sharedNetwork),
            ("224.0.0.251", .multicast), ("[ff02::1]", .multicast),
            ("255.255.255.255", .reserved), ("192.0.2.1", .reserved), ("198.18.0.1", .reserved),
            ("[2001:db8::1]", .reserved), ("[100::1]", .reserved), ("[64:ff9b::808:808]", .reserved),
            ("[::8.8.8.8]", .reserved),
            ("router", .localName), ("router.local", .localName), ("Router.LOCAL.", .localName),
            ("metadata.google.internal", .localName), ("nas.home.arpa", .localName), ("wiki.corp", .localName),
            ("", .unreadable), (".", .unreadable), ("a..b", .unreadable), ("a b.example", .unreadable),
            ("%31%32%37.0.0.1", .unreadable), ("1.2.3.4.5", .unreadable), ("256.1.1.1", .unreadable),
            ("08.1.1.1", .unreadable), ("a.0x", .unreadable), ("4294967296", .unreadable), ("[127.0.0.1]", .unreadable),
            ("[fe80::1%25eth0]", .unreadable), ("[::1", .unreadable), ("éxample.com", .unreadable),
        ])
    func special(host: String, use: SpecialUse) {
        #expect(SpecialUse(ofHost: host) == use)
    }

    @Test(
        "a public host is none of these",
        arguments: [
            "contoso.com", "cloud.google.com", "localhost.contoso.com", "local.contoso.com", "contoso.com.",
            "8.8.8.8", "1.1.1.1", "172.15.255.255", "172.32.0.1", "100.63.255.255", "100.128.0.1", "11.0.0.1",
            "223.255.255.255", "192.169.0.1", "169.253.1.1", "134744072", "[2606:4700::1111]", "[2a00:1450::200e]",
            "[::ffff:8.8.8.8]", "a_b.contoso.com", "0xabc.contoso.com", "xn--bcher-kva.example",
        ])
    func open(host: String) {
        #expect(SpecialUse(ofHost: host) == nil)
    }
}
