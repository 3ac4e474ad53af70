import SwitchyardCrypto
import SwitchyardOAuth
import Testing

@testable import SwitchyardRedemption

@Suite("Compressed answers, for which the client did not ask")
struct CompressionTests {
    /// `{"access_token":"at","token_type":"Bearer"}`, in gzip.
    private static let tokens = bytes(
        "H4sIAAAAAAACA6tWSkxOTi0uji_Jz07NU7JSSixR0lECc-JLKgtSgSJOqYlFqUVKtQDFumakKwAAAA")
    /// A JSON array with 100,000 spaces in it, in 136 bytes of gzip.
    private static let bomb = bytes(
        "H4sIAAAAAAACA-3BQREAAAwCoCrr5a1_DWv4AHIA" + String(repeating: "A", count: 130) + "DArC-fCYOGooYBAA")

    private static func bytes(_ base64: String) -> [UInt8] { Base64URL.decode(base64) ?? [] }

    @Test("the client asks for no compression")
    func asked() async throws {
        let fixture = try Fixture()
        fixture.answerTokens(ExchangeTests.good)
        _ = try await fixture.redeem(fixture.plainRequest).get()
        #expect(fixture.server.requests.allSatisfy { $0.header("accept-encoding") == "identity" })
        #expect(!fixture.server.requests.isEmpty)
    }

    @Test("gzip is taken all the same")
    func gzip() async throws {
        let fixture = try Fixture()
        fixture.answerTokens(.packed(Self.tokens, encoding: "gzip"))
        #expect(try await fixture.redeem(fixture.plainRequest).get().response.accessToken == Secret("at"))
    }

    @Test("the limit counts unpacked bytes")
    func bomb() async throws {
        try #require(!Self.bomb.isEmpty && Self.bomb.count < 200)
        let fixture = try Fixture { $0.maximumBytes = 64 * 1024 }
        fixture.answerTokens(.packed(Self.bomb, encoding: "gzip"), ExchangeTests.good)
        let failure = await fixture.redeem(fixture.plainRequest).failure
        #expect(failure?.code == .invalidResponse)
        #expect(failure?.description?.text.contains("more than 65536 bytes") == true)
        #expect(fixture.tokenRequests.count == 1)
    }

    @Test(
        "nothing is unpacked twice: each time it may grow a thousandfold",
        arguments: ["gzip, gzip", "gzip,deflate", "GZIP gzip"])
    func twice(encoding: String) async throws {
        let fixture = try Fixture()
        fixture.answerTokens(.packed(Self.tokens, encoding: encoding), ExchangeTests.good)
        let failure = await fixture.redeem(fixture.plainRequest).failure
        #expect(failure?.code == .invalidResponse)
        #expect(failure?.description?.text.contains("compressed more than once") == true)
        #expect(fixture.tokenRequests.count == 1)
    }

    @Test(
        "an encoding that is not known, or that breaks, is an invalid response that says so",
        arguments: ["x-secret", "gzip"])
    func unknown(encoding: String) async throws {
        let fixture = try Fixture()
        fixture.answerTokens(.packed([1, 2, 3, 4], encoding: encoding), ExchangeTests.good)
        let failure = await fixture.redeem(fixture.plainRequest).failure
        #expect(failure?.code == .invalidResponse)
        #expect(failure?.description?.text.contains("encoding") == true)
        #expect(fixture.tokenRequests.count == 1)
    }
}
