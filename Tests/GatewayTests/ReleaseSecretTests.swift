internal import SwitchyardCrypto
internal import SwitchyardPendingRequests
import Testing

@testable import SwitchyardGateway

@Suite("Release proofs") struct ReleaseSecretTests {
    private let secrets = (0..<200).map { _ in CallbackCookie.makeSecret() }

    @Test("a code is eight consonants in two groups, none that is taken for another")
    func form() throws {
        for secret in secrets {
            let code = ReleaseSecret.code(of: secret)
            #expect(code.count == 9)
            #expect(code.split(separator: "-").map(\.count) == [4, 4])
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
        arguments: ["bcdfghjk", "BCDF-GHJK", " b c d f g h j k ", "BCDFGH--JK"])
    func typed(text: String) {
        #expect(ReleaseSecret.digest(ofCode: text) == ReleaseSecret.digest(ofCode: "BCDF-GHJK"))
    }

    @Test("another code, and a ticket of the same letters, have another digest")
    func told() {
        #expect(ReleaseSecret.digest(ofCode: "BCDFGHJL") != ReleaseSecret.digest(ofCode: "BCDFGHJK"))
        #expect(ReleaseSecret.digest(ofCode: "BCDFGHJK") != ReleaseSecret.digest(ofTicket: "BCDFGHJK"))
        #expect(ReleaseSecret.digest(ofTicket: "a-b") != ReleaseSecret.digest(ofTicket: "ab"), "a ticket is exact")
    }

    @Test("the code on the page matches the record's digest")
    func same() {
        for secret in secrets {
            #expect(
                ReleaseSecret.digest(of: secret, .code) == ReleaseSecret.digest(ofCode: ReleaseSecret.code(of: secret)))
            #expect(
                ReleaseSecret.digest(of: secret, .ticket)
                    == ReleaseSecret.digest(ofTicket: ReleaseSecret.ticket(of: secret)))
        }
    }

    @Test("the code of an earlier version is the first six letters, and a longer one that begins so is taken for it")
    func earlierVersion() {
        let held = ReleaseSecret.digest(ofCode: "BCD-FGH")
        #expect(ReleaseSecret.digests(ofCode: "BCDF-GHJK").contains(held))
        #expect(ReleaseSecret.digests(ofCode: "bcd-fgh") == [held])
        #expect(!ReleaseSecret.digests(ofCode: "BCD-FGH").contains(ReleaseSecret.digest(ofCode: "BCDF-GHJK")))
        #expect(!ReleaseSecret.digests(ofCode: "BCDF-GJKL").contains(held))
    }
}
