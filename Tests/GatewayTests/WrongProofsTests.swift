import SwitchyardRouting
import TestSupport
import Testing

@testable import SwitchyardGateway
@testable import SwitchyardPendingRequests

@Suite("Wrong release proofs") struct WrongProofsTests {
    private let start = Timestamp(milliseconds: 1_700_000_000_000)
    private let group: WrongProofs.Group

    init() throws {
        group = WrongProofs.Group(app: "mail", .address(try #require(IPAddress("198.51.100.7"))))
    }

    private func guess(_ proofs: WrongProofs, _ group: WrongProofs.Group, at now: Timestamp) -> WrongProof? {
        if case .wrong(let proof, _) = proofs.judge(isRight: false, group, of: RequestID(), at: now) {
            proof
        } else {
            nil
        }
    }

    private func isRight(_ proofs: WrongProofs, at now: Timestamp) -> Bool {
        if case .right = proofs.judge(isRight: true, group, of: RequestID(), at: now) { true } else { false }
    }

    @Test("thirty are judged in any hour, and it is told once an hour")
    func window() {
        let proofs = WrongProofs()
        var news = 0
        for number in 0..<30 {
            #expect(proofs.wait(group, at: start) == nil && isRight(proofs, at: start))
            let verdict = proofs.judge(isRight: false, group, of: RequestID(), at: start + .seconds(number))
            if case .wrong(_, isNews: true) = verdict { news += 1 }
        }
        #expect(news == 1)
        #expect(proofs.wait(group, at: start + .seconds(30)) == 3570)
        #expect(!isRight(proofs, at: start + .seconds(3599)), "a right one is not even looked at")
        #expect(proofs.wait(group, at: start + .milliseconds(3_599_001)) == 1)
        // The oldest is an hour old: one more is judged, and then the next oldest counts.
        #expect(proofs.wait(group, at: start + .seconds(3600)) == nil)
        if case .wrong(_, let isNews) = proofs.judge(isRight: false, group, of: RequestID(), at: start + .seconds(3600))
        {
            #expect(!isNews, "it was told within the hour")
        } else {
            Issue.record("it is judged")
        }
        #expect(proofs.wait(group, at: start + .seconds(3600)) == 1)
        #expect(proofs.wait(group, at: start + .seconds(7200)) == nil)
    }

    @Test(
        "an IPv4 /24, an IPv6 /48 and a user count as one, each at each app",
        arguments: [
            ("198.51.100.7", "198.51.100.200", "198.51.101.7"),
            ("2001:db8:1::1", "2001:db8:1:ffff::2", "2001:db8:2::1"),
            ("uid 1000", "uid 1000 app org.contoso.Mail", "uid 1001"),
        ])
    func groups(one: String, same: String, other: String) {
        let proofs = WrongProofs()
        let group = WrongProofs.Group(app: "mail", beginner: one)
        for _ in 0..<30 { _ = proofs.judge(isRight: false, group, of: RequestID(), at: start) }
        #expect(proofs.wait(WrongProofs.Group(app: "mail", beginner: same), at: start) == 3600)
        #expect(proofs.wait(WrongProofs.Group(app: "mail", beginner: other), at: start) == nil)
        #expect(proofs.wait(WrongProofs.Group(app: "calendar", beginner: one), at: start) == nil)
    }

    @Test("a proof from another gateway counts once, and an old one does not")
    func learning() throws {
        let (one, other) = (WrongProofs(), WrongProofs())
        var shared: [WrongProof] = []
        for number in 0..<30 { shared.append(try #require(guess(one, group, at: start + .seconds(number)))) }
        for _ in 0..<3 { other.hear(.given(Array(shared.reversed().prefix(29))), at: start + .seconds(29)) }
        #expect(other.wait(group, at: start + .seconds(29)) == nil)
        other.hear(.given(shared), at: start + .seconds(29))
        #expect(other.wait(group, at: start + .seconds(29)) == 3571)
        let late = WrongProofs()
        late.hear(.given(shared), at: start + .seconds(3610))
        #expect(late.wait(group, at: start + .seconds(3610)) == nil)
    }

    @Test("a right proof takes back the wrong ones of its sign-in, also at other gateways, and no others")
    func forgiving() throws {
        let (one, other) = (WrongProofs(), WrongProofs())
        let mistyped = RequestID()
        for _ in 0..<27 { other.hear(.given([try #require(guess(one, group, at: start))]), at: start) }
        for _ in 0..<2 {
            guard case .wrong(let proof, _) = one.judge(isRight: false, group, of: mistyped, at: start) else { return }
            other.hear(.given([proof]), at: start)
        }
        guard case .right(let forgiven) = one.judge(isRight: true, group, of: mistyped, at: start) else {
            Issue.record("it is judged")
            return
        }
        #expect(forgiven.count == 2)
        for proof in forgiven { other.hear(.forgiven(proof), at: start) }
        for proofs in [one, other] {
            for _ in 0..<2 { _ = guess(proofs, group, at: start) }
            #expect(proofs.wait(group, at: start) == nil, "29 count")
            _ = guess(proofs, group, at: start)
            #expect(proofs.wait(group, at: start) == 3600)
        }
    }

    @Test("the table is bounded, and a network that has had its tries stays in it")
    func bound() {
        let proofs = WrongProofs()
        for _ in 0..<30 { _ = proofs.judge(isRight: false, group, of: RequestID(), at: start) }
        for number in 0..<20_000 {
            _ = proofs.judge(
                isRight: false, WrongProofs.Group(app: "mail", beginner: "uid \(number)"), of: RequestID(), at: start)
        }
        #expect(proofs.count <= 8192)
        #expect(proofs.wait(group, at: start) == 3600)
    }

    @Test("a name leads back to what it names, and nothing else is one")
    func names() throws {
        let proof = try #require(guess(WrongProofs(), group, at: start))
        #expect(WrongProof(name: proof.name, at: start) == proof)
        for bad in ["", "x", String(repeating: "A", count: 42), String(repeating: "A", count: 44), "!"] {
            #expect(WrongProof(name: Array(bad.utf8), at: start) == nil)
        }
    }
}
