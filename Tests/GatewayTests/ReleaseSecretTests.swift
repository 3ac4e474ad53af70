internal import SwitchyardCrypto
internal import SwitchyardPendingRequests
import Testing

@testable import SwitchyardGateway

@Suite("Release proofs") struct ReleaseSecretTests {
    private let secrets = (0..<200).map { _ in OutcomeCookie.makeSecret() }

    @Test("a code is six consonants in two groups, none that is taken for another")
    func form() throws {
        for secret in secrets {
            let code = ReleaseSecret.code(of: secret)
            #expect(code.count == 7)
            #expect(code.split(separator: "-").map(\.count) == [3, 3])
            #expect(code.allSatisfy { "BCDFGHJKLMNPQRSTVWXZ-".contains($0) })
        }
    }

    @Test("a code and a ticket follow from the browser's secret, and from nothing else")
    func derived() {
        for secret in secrets {
            #expect(ReleaseSecret.code(of: secret) == ReleaseSecret.code(of: secret))
            #expect(!ReleaseSecret.ticket(of: secret).contains(secret.exposedText))
        }
        #expect(Set(secrets.map(ReleaseSecret.code)).count >= 199, "they spread")
        #expect(Set(secrets.map(ReleaseSecret.ticket)).count == 200)
    }

    @Test(
        "case, spaces and hyphens do not count in a code",
        arguments: ["bcdfgh", "BCD-FGH", " b c d f g h ", "BCDF--GH"])
    func typed(text: String) {
        #expect(ReleaseSecret.digest(ofCode: text) == ReleaseSecret.digest(ofCode: "BCD-FGH"))
    }

    @Test("another code, and a ticket of the same letters, have another digest")
    func told() {
        #expect(ReleaseSecret.digest(ofCode: "BCDFGJ") != ReleaseSecret.digest(ofCode: "BCDFGH"))
        #expect(ReleaseSecret.digest(ofCode: "BCDFGH") != ReleaseSecret.digest(ofTicket: "BCDFGH"))
        #expect(ReleaseSecret.digest(ofTicket: "a-b") != ReleaseSecret.digest(ofTicket: "ab"), "a ticket is exact")
    }

    @Test("what the page shows is what the record is compared by")
    func same() {
        for secret in secrets {
            #expect(
                ReleaseSecret.digest(of: secret, .code) == ReleaseSecret.digest(ofCode: ReleaseSecret.code(of: secret)))
            #expect(
                ReleaseSecret.digest(of: secret, .ticket)
                    == ReleaseSecret.digest(ofTicket: ReleaseSecret.ticket(of: secret)))
        }
    }
}
