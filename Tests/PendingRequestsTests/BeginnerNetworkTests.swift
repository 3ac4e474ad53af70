import Testing

@testable import SwitchyardPendingRequests

@Suite("A beginner's network") struct BeginnerNetworkTests {
    @Test(
        "addresses of one /24 or /48 have one network, and others have another",
        arguments: [
            ("192.0.2.1", "192.0.2"), ("192.0.2.255", "192.0.2"), ("10.0.0.1", "10.0.0"),
            ("2001:db8:7::", "2001:db8:7::"),
            ("2001:db8:7:1::", "2001:db8:7::"), ("2001:db8:0:5::", "2001:db8::"), ("2001:db8::", "2001:db8::"),
            ("2001:0:0:5::", "2001::"), ("2001::", "2001::"), ("0:0:0:5::", "::"), ("::", "::"),
            ("0:1:2:3::", "0:1:2::"),
        ])
    func networks(key: String, network: String) {
        #expect(RequestRecord.Beginner.network(of: key) == network)
    }

    @Test("a user of this machine has none", arguments: ["uid 1000", "uid 1000 /opt/a.b/c:d", "", "x"])
    func none(key: String) {
        #expect(RequestRecord.Beginner.network(of: key) == nil)
    }
}
