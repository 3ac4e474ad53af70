import SwitchyardCCurl
import SwitchyardOAuth
import Testing

@testable import SwitchyardHTTPClient
@testable import SwitchyardRedemption

@Suite("What is reported of requests to an issuer")
struct IssuerExchangeTests {
    @Test("a sign-in is reported as what was asked of the issuer, and no more often")
    func whole() async throws {
        let fixture = try Fixture()
        fixture.answerToken()
        for _ in 0..<2 { _ = try await fixture.redeem().get() }
        #expect(fixture.reports.all == ["discovery ok", "keys ok", "token ok", "token ok"])
    }

    static let tokenEndings: [(reply: Reply, reports: [String])] = [
        (.json(#"{"error":"invalid_client"}"#, status: 401), ["token refused invalid_client"]),
        (
            .json(#"{"error":"invalid_client","error_description":"AADSTS7000215: x"}"#, status: 401),
            ["token refused invalid_client AADSTS7000215"]
        ),
        (.answer(status: 404, body: ""), ["token failed status_404"]),
        (.answer(status: 429, body: ""), ["token refused status_429"]),
        (.answer(status: 200, body: "x"), ["token failed wrong_answer"]),
        (.raw("garbage\r\n\r\n"), ["token failed wrong_answer"]), (.flood, ["token failed wrong_answer"]),
        (.close, ["token unreachable interrupted"]),
    ]

    @Test("a token endpoint that does not give tokens is reported with its reason", arguments: tokenEndings)
    func token(reply: Reply, reports: [String]) async throws {
        let fixture = try Fixture()
        fixture.answerTokens(reply)
        _ = await fixture.redeem(fixture.plainRequest)
        #expect(fixture.reports.all == ["discovery ok"] + reports)
    }

    @Test("each try is reported")
    func tries() async throws {
        let fixture = try Fixture(retryDelay: .zero)
        fixture.answerTokens(.answer(status: 503, body: ""), ExchangeTests.good)
        _ = try await fixture.redeem(fixture.plainRequest).get()
        #expect(fixture.reports.all == ["discovery ok", "token failed status_503", "token ok"])
    }

    @Test("an issuer without metadata or keys is reported")
    func documents() async throws {
        let fixture = try Fixture()
        fixture.alter { $0.keys = .answer(status: 500, body: "") }
        _ = await fixture.redeem()
        let other = try Fixture()
        other.alter { $0.metadata = .answer(status: 404, body: "") }
        _ = await other.redeem()
        #expect(fixture.reports.all == ["discovery ok", "keys failed status_500"])
        #expect(other.reports.all == ["discovery failed status_404"])
    }

    @Test("an unreachable address and a refused certificate are told apart, the latter with its reason")
    func connections() async throws {
        let fixture = try Fixture()
        var request = fixture.plainRequest
        request.expectations.issuer = Issuer(try fixture.configured(tokenEndpoint: "http://127.0.0.1:1/token"))
        _ = await fixture.redeem(request)
        #expect(fixture.reports.all.last == "token unreachable connection_refused")
        let certificates = [
            (10, "expired"), (9, "not_yet_valid"), (20, "untrusted"), (0, "wrong_name"), (1, "wrong_name"),
            (99, "other"),
        ]
        for (verification, name) in certificates {
            let error = TransferError(
                code: CURLE_PEER_FAILED_VERIFICATION, words: "", wasSent: false, verification: verification)
            #expect(IssuerExchange.Problem(error).label == "certificate_\(name)")
            #expect(IssuerExchange.Problem(error).result == .unreachable)
        }
    }

    @Test("a client that is refused without a word is named with its issuer and its authentication")
    func invalidClient() async throws {
        let fixture = try Fixture()
        fixture.answerTokens(.json(#"{"error":"invalid_client"}"#, status: 401))
        let failure = await fixture.redeem(fixture.plainRequest).failure
        #expect(
            failure?.description
                == #"the issuer "contoso" does not accept the client "client" with the authentication "none""#)
        fixture.answerTokens(.json(#"{"error":"invalid_client","error_description":"Why."}"#, status: 401))
        #expect(await fixture.redeem(fixture.plainRequest).failure?.description == "Why.")
    }
}
