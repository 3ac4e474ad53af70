import SwitchyardCrypto
import SwitchyardHTTP
import SwitchyardOAuth
import SwitchyardPendingRequests
import SwitchyardRouting
import Testing

@testable import SwitchyardGateway

/// (rules: who began is who finishes)
@Suite("Hold rule") struct HoldRuleTests {
    private typealias Beginner = RequestRecord.Beginner

    private func begun(
        at address: String?, uid: UInt32? = nil, isAddressUnknown: Bool = false
    ) throws -> RequestRecord {
        try .sample(
            beginner: Beginner(
                callerKey: address, address: address, isAddressUnknown: isAddressUnknown, uid: uid,
                isAuthenticated: false))
    }

    private func browser(at address: PeerAddress?) throws -> ArrivedCallback.Source {
        .browser(
            ArrivingBrowser(
                secret: Secret("s"), address: address, cookies: Cookies(try .sample()), isCrossSitePost: false))
    }

    private func verdict(
        _ policy: ReleasePolicy, _ record: RequestRecord, _ source: ArrivedCallback.Source
    ) throws -> HoldRule.Verdict {
        let networks = [try #require(Network("192.168.7.0/24"))]
        return HoldRule(policy: policy, networks: networks).verdict(for: record, from: source)
    }

    private func address(_ address: String) throws -> PeerAddress {
        .address(try #require(IPAddress(address)))
    }

    @Test("the policy code holds every code, also beside the browser")
    func code() throws {
        #expect(
            try verdict(.code, begun(at: "127.0.0.1"), browser(at: .thisMachine)) == .hold(.code, secret: Secret("s")))
        #expect(
            try verdict(.sameDevice, begun(at: nil, uid: 1), browser(at: .thisMachine))
                == .hold(.ticket, secret: Secret("s")))
        #expect(try verdict(.none, begun(at: "192.0.2.1"), browser(at: nil)) == .pass(.notNeeded))
    }

    @Test(
        "same_network passes at once from one address that is loopback or in a listed network",
        arguments: [
            ("127.0.0.1", "127.0.0.1", true), ("::1", "127.0.0.1", true), (nil, "127.0.0.1", true),
            ("192.168.7.3", "192.168.7.3", true), ("192.168.7.3", "192.168.7.4", false),
            ("192.0.2.1", "192.0.2.1", false), ("192.168.7.3", "127.0.0.1", false), (nil, "192.168.7.3", false),
            ("127.0.0.1", nil, false),
        ] as [(String?, String?, Bool)])
    func sameNetwork(begin: String?, callback: String?, passes: Bool) throws {
        let address = callback.flatMap { IPAddress($0) }.map { $0.isLoopback ? PeerAddress.thisMachine : .address($0) }
        let expected: HoldRule.Verdict = passes ? .pass(.sameAddress) : .hold(.code, secret: Secret("s"))
        #expect(try verdict(.sameNetwork, begun(at: begin), browser(at: address)) == expected)
    }

    @Test("a gateway that carries a callback has held it by its own policy", arguments: ReleasePolicy.allCases)
    func carried(policy: ReleasePolicy) throws {
        let record = try begun(at: nil, uid: 1)
        #expect(try verdict(policy, record, .gateway(record.id, isReleased: true)) == .pass(.proved))
        #expect(try verdict(policy, record, .gateway(record.id, isReleased: false)) == .pass(.notNeeded))
    }

    @Test("same_network never passes when the beginner brought a forwarding header of its own")
    func forwarded() throws {
        let record = try begun(at: "127.0.0.1", isAddressUnknown: true)
        #expect(try verdict(.sameNetwork, record, browser(at: .thisMachine)) == .hold(.code, secret: Secret("s")))
    }

    @Test("same_network does not pass when somebody elsewhere waits for the outcome")
    func watched() throws {
        var record = try begun(at: "127.0.0.1")
        try record.apply(.noteForeignWatcher, at: record.createdAt)
        #expect(try verdict(.sameNetwork, record, browser(at: .thisMachine)) == .hold(.code, secret: Secret("s")))
    }

    @Test("a relay has been found to come from the user that began", arguments: ReleasePolicy.allCases)
    func relay(policy: ReleasePolicy) throws {
        #expect(try verdict(policy, begun(at: nil, uid: 1), .relay(uid: 1)) == .pass(.notNeeded))
    }
}
