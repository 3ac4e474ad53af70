import SwitchyardRouting
import Testing

@Suite("Addresses and networks") struct IPAddressTests {
    @Test(
        "an address is read and written in its usual form",
        arguments: [
            ("192.168.7.2", "192.168.7.2"), ("0.0.0.0", "0.0.0.0"), ("::", "::"), ("::1", "::1"), ("1::", "1::"),
            ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("2001:0db8::0001", "2001:db8::1"),
            ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
            ("::ffff:10.0.0.1", "10.0.0.1"), ("::FFFF:0a00:0001", "10.0.0.1"), ("64:ff9b::1.2.3.4", "64:ff9b::102:304"),
        ])
    func readAndWritten(text: String, usual: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == usual)
        #expect(IPAddress(usual) == address)
    }

    @Test(
        "what is no address is refused",
        arguments: [
            "", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.+4", "1.2.3.-0", "0x7f.1", "1.2.3.4 ", ":", ":::",
            "1:2",
            "1:2:3:4:5:6:7:8:9", "1::2::3", "1:2:3:4:5:6:7:8::", "12345::", "g::", "-0::", "::1%eth0", "[::1]",
            "1.2.3.4::",
            "::1.2.3", "1:2:3:4:5:6:7:1.2.3.4", "１.2.3.4",
        ])
    func refused(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test("bytes in network order make an address, 4 or 16 of them")
    func bytes() {
        #expect(IPAddress(bytes: [10, 0, 0, 1]) == IPAddress("10.0.0.1"))
        #expect(IPAddress(bytes: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 10, 0, 0, 1]) == IPAddress("10.0.0.1"))
        #expect(IPAddress(bytes: [UInt8](repeating: 0, count: 15) + [1]) == IPAddress("::1"))
        #expect(IPAddress(bytes: [1, 2, 3]) == nil)
    }

    @Test(
        "limits count IPv4 whole and IPv6 by /64",
        arguments: [
            ("10.0.0.1", "10.0.0.2", false), ("10.0.0.1", "::ffff:10.0.0.1", true),
            ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true),
            ("2001:db8:1:2::1", "2001:db8:1:3::1", false), ("::1", "0.0.0.1", false),
        ])
    func limitKeys(first: String, second: String, same: Bool) throws {
        #expect((try #require(IPAddress(first)).limitKey == (try #require(IPAddress(second)).limitKey)) == same)
    }

    @Test(
        "a network is a /24, or a /48 of IPv6",
        arguments: [
            ("192.0.2.1", "192.0.2.255", true), ("192.0.2.1", "192.0.3.1", false),
            ("2001:db8:1:2::1", "2001:db8:1:ffff::9", true), ("2001:db8:1::1", "2001:db8:2::1", false),
            ("::1", "0.0.0.1", false),
        ])
    func networks(first: String, second: String, same: Bool) throws {
        #expect((try #require(IPAddress(first)).network == (try #require(IPAddress(second)).network)) == same)
    }

    @Test(
        "loopback is 127.0.0.0/8 and ::1",
        arguments: [
            ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("128.0.0.1", false), ("::2", false),
            ("::127.0.0.1", false),
        ])
    func loopback(text: String, isLoopback: Bool) throws {
        #expect(try #require(IPAddress(text)).isLoopback == isLoopback)
    }

    @Test(
        "a network holds the addresses of its block",
        arguments: [
            ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false),
            ("10.0.0.0/8", "::ffff:10.1.1.1", true),
            ("0.0.0.0/0", "255.1.2.3", true), ("0.0.0.0/0", "::1", false), ("::/0", "2001:db8::1", true),
            ("::/0", "1.2.3.4", false),
            ("192.168.7.2", "192.168.7.2", true), ("192.168.7.2/32", "192.168.7.3", false),
            ("2001:db8::/33", "2001:db8:8000::", false),
            ("2001:db8::/33", "2001:db8:7fff::", true), ("::1", "::1", true), ("::1/128", "::2", false),
        ])
    func networks(network: String, address: String, holds: Bool) throws {
        #expect(try #require(Network(network)).contains(try #require(IPAddress(address))) == holds)
    }

    @Test(
        "what is no block is refused",
        arguments: [
            "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/08", "10.0.0.1/8", "::1/64",
            "::/129", "10.0.0.0/8/8", "::ffff:0:0/96",
        ])
    func refusedNetworks(text: String) {
        #expect(Network(text) == nil)
    }

    @Test("a caller passes if either list names it")
    func beginFrom() throws {
        let rule = BeginFrom(uids: [1000], networks: [try #require(Network("10.0.0.0/8"))])
        #expect(rule.permits(uid: 1000))
        #expect(!rule.permits(uid: 0))
        #expect(rule.permits(try #require(IPAddress("10.1.2.3"))))
        #expect(!rule.permits(try #require(IPAddress("127.0.0.1"))))
    }

    @Test(
        "an app's id is safe wherever it is written",
        arguments: [
            ("com.contoso.app1", true), ("A_b-9", true), ("", false), (".hidden", false), ("-x", false), ("a/b", false),
            ("a b", false), ("é", false), (String(repeating: "a", count: 129), false),
        ])
    func appIDs(text: String, valid: Bool) {
        #expect((AppID(text) != nil) == valid)
    }
}
