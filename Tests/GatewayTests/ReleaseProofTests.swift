internal import SwitchyardPendingRequests
import Testing

@testable import SwitchyardGateway

@Suite("Release proofs") struct ReleaseProofTests {
    private let secrets = (0..<200).map { _ in OutcomeCookie.makeSecret() }

    @Test("a code is six consonants in two groups, none that is taken for another")
    func form() throws {
        for secret in secrets {
            let code = ReleaseProof.code(of: secret)
            #expect(code.count == 7)
            #expect(code.split(separator: "-").map(\.count) == [3, 3])
            #expect(code.allSatisfy { "BCDFGHJKLMNPQRSTVWXZ-".contains($0) })
        }
    }

    @Test("a code and a ticket follow from the browser's secret, and from nothing else")
    func derived() {
        for secret in secrets {
            #expect(ReleaseProof.code(of: secret) == ReleaseProof.code(of: secret))
            #expect(!ReleaseProof.ticket(of: secret).contains(secret))
        }
        #expect(Set(secrets.map(ReleaseProof.code)).count >= 199, "they spread")
        #expect(Set(secrets.map(ReleaseProof.ticket)).count == 200)
    }

    @Test(
        "case, spaces and hyphens do not count in a code",
        arguments: ["bcdfgh", "BCD-FGH", " b c d f g h ", "BCDF--GH"])
    func typed(text: String) {
        #expect(ReleaseProof.digest(ofCode: text) == ReleaseProof.digest(ofCode: "BCD-FGH"))
    }

    @Test("another code, and a ticket of the same letters, have another digest")
    func told() {
        #expect(ReleaseProof.digest(ofCode: "BCDFGJ") != ReleaseProof.digest(ofCode: "BCDFGH"))
        #expect(ReleaseProof.digest(ofCode: "BCDFGH") != ReleaseProof.digest(ofTicket: "BCDFGH"))
        #expect(ReleaseProof.digest(ofTicket: "a-b") != ReleaseProof.digest(ofTicket: "ab"), "a ticket is exact")
    }

    @Test("what the page shows is what the record is compared by")
    func same() {
        for secret in secrets {
            #expect(
                ReleaseProof.digest(of: secret, .code) == ReleaseProof.digest(ofCode: ReleaseProof.code(of: secret)))
            #expect(
                ReleaseProof.digest(of: secret, .ticket)
                    == ReleaseProof.digest(ofTicket: ReleaseProof.ticket(of: secret)))
        }
    }
}
