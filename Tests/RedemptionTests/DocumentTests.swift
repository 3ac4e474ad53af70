import SwitchyardJSON
import SwitchyardOAuth
import TestSupport
import Testing

@testable import SwitchyardRedemption

@Suite("An issuer's metadata and keys")
struct DocumentTests {
    static let fallbackPath = "/.well-known/oauth-authorization-server"

    @Test("metadata is fetched once, and again after its time")
    func cached() async throws {
        let fixture = try Fixture()
        let metadata = try await fixture.discover().get()
        #expect(metadata.tokenEndpoint.text == fixture.server.url + "/token")
        _ = try await fixture.discover().get()
        #expect(fixture.server.count(Fixture.metadataPath) == 1)
        fixture.clock.advance(.seconds(3601))
        _ = try await fixture.discover().get()
        await fixture.settle { fixture.server.count(Fixture.metadataPath) == 2 }
        #expect(fixture.server.count(Fixture.metadataPath) == 2)
    }

    @Test("callers at the same time share one fetch")
    func singleFlight() async throws {
        let fixture = try Fixture()
        let other = try TestLoop()
        let redeemer = Redeemer(loop: other.loop, time: fixture.clock.time)
        let issuer = fixture.issuer
        async let first = fixture.discover()
        async let second = fixture.discover()
        async let third = other.run { (try? await redeemer.metadata(for: issuer)) != nil }
        _ = try await (first.get(), second.get())
        #expect(await third)
        #expect(fixture.server.count(Fixture.metadataPath) == 1)
    }

    static let refusals: [Reply] =
        [400, 401, 403, 404, 405, 429].map { .answer(status: $0, body: "") }
        + ["<html>", "[]", "{}", #"{"error":"not_found"}"#].map { .json($0) }

    @Test("any 4xx, and a 200 that is no metadata, leads to RFC 8414's address", arguments: refusals.indices)
    func refusedAddress(index: Int) async throws {
        let fixture = try Fixture()
        let document = fixture.metadata()
        fixture.alter {
            $0.metadata = Self.refusals[index]
            $0.others[Self.fallbackPath] = .json(document)
        }
        #expect(try await fixture.discover().get().issuer == fixture.server.url)
        #expect(fixture.server.requests.map(\.path) == [Fixture.metadataPath, Self.fallbackPath])
    }

    @Test("where the second address is not found, the failure is the first one's", arguments: [401, 429])
    func firstRefusal(status: Int) async throws {
        let fixture = try Fixture()
        fixture.alter { $0.metadata = .answer(status: status, body: "") }
        #expect(await fixture.discover().failure?.cause == .status(status))
    }

    @Test("metadata that lacks a member is named before what another address answers", arguments: ["{}", "<html>"])
    func incomplete(other: String) async throws {
        let fixture = try Fixture()
        let incomplete = "{\"issuer\":\"\(fixture.server.url)\"}"
        fixture.alter {
            $0.metadata = .json(incomplete)
            $0.others[Self.fallbackPath] = .json(other)
        }
        #expect(await fixture.discover().failure?.reason.contains("authorization_endpoint") == true)
    }

    @Test("metadata of another issuer is an error of its own, and no other address stands in for it")
    func otherIssuer() async throws {
        let fixture = try Fixture()
        let (document, wrong) = (fixture.metadata(), fixture.metadata(issuer: "https://evil.example"))
        fixture.alter {
            $0.metadata = .json(wrong)
            $0.others[Self.fallbackPath] = .json(document)
        }
        #expect(await fixture.discover().failure != nil)
        #expect(fixture.server.requests.count == 1)
    }

    @Test("where OpenID's metadata is not found, RFC 8414's is used", arguments: ["", "/tenant/v2", "/tenant/"])
    func fallback(path: String) async throws {
        let fixture = try Fixture()
        let identifier = fixture.server.url + path
        let document = fixture.metadata(issuer: identifier)
        let trimmed = path.hasSuffix("/") ? String(path.dropLast()) : path
        fixture.alter {
            $0.metadata = .answer(status: 404, body: "")
            $0.others[Self.fallbackPath + trimmed] = .json(document)
        }
        #expect(try await fixture.discover(identifier).get().issuer == identifier)
        #expect(fixture.server.requests.map(\.path) == [trimmed + Fixture.metadataPath, Self.fallbackPath + trimmed])
    }

    @Test("no other status leads to the fall-back", arguments: [500, 503, 302])
    func noFallback(status: Int) async throws {
        let fixture = try Fixture()
        let document = fixture.metadata()
        fixture.alter {
            $0.metadata = .answer(status: status, headers: [("Location", "/elsewhere")], body: "")
            $0.others[Self.fallbackPath] = .json(document)
            $0.others["/elsewhere"] = .json(document)
        }
        #expect(await fixture.discover().failure != nil)
        #expect(fixture.server.requests.count == 1)
    }

    static let unusableReplies: [@Sendable (Fixture) -> Reply] = [
        { .json($0.metadata(issuer: $0.server.url + "/")) }, { .json($0.metadata(issuer: "https://evil.example")) },
        { _ in .json("{}") }, { _ in .json("not json") }, { _ in .flood }, { _ in .close },
        { _ in .answer(status: 404, body: "") },
    ]

    @Test("metadata that cannot be used, or is another issuer's, is an outage", arguments: unusableReplies.indices)
    func unusable(index: Int) async throws {
        let fixture = try Fixture()
        let reply = Self.unusableReplies[index](fixture)
        fixture.alter { $0.metadata = reply }
        let failure = await fixture.discover().failure
        #expect(failure?.issuer == "contoso")
        #expect(failure?.retryAfter == 5)
    }

    @Test("a failure is remembered for 5 s")
    func remembered() async throws {
        let fixture = try Fixture()
        let good = fixture.metadata()
        fixture.alter { $0.metadata = .answer(status: 500, body: "") }
        #expect(await fixture.discover().failure?.retryAfter == 5)
        fixture.alter { $0.metadata = .json(good) }
        fixture.clock.advance(.milliseconds(3500))
        #expect(await fixture.discover().failure?.retryAfter == 2)
        #expect(fixture.server.count(Fixture.metadataPath) == 1)
        fixture.clock.advance(.milliseconds(1500))
        #expect(await fixture.discover().failure == nil)
    }

    @Test("old metadata serves while the issuer is down", arguments: [Duration.seconds(3700), .seconds(100 * 3600)])
    func stale(age: Duration) async throws {
        let fixture = try Fixture()
        _ = try await fixture.discover().get()
        fixture.alter { $0.metadata = .answer(status: 500, body: "") }
        fixture.clock.advance(age)
        for _ in 0..<3 { #expect(await fixture.discover().failure == nil) }
        await fixture.settle { fixture.server.count(Fixture.metadataPath) == 2 }
        #expect(fixture.server.count(Fixture.metadataPath) == 2)
    }

    @Test("keys serve on while the issuer is down")
    func staleKeys() async throws {
        let fixture = try Fixture()
        fixture.answerToken()
        _ = try await fixture.redeem().get()
        fixture.alter { $0.keys = .close }
        fixture.clock.advance(.seconds(2 * 3600))
        fixture.answerToken()
        _ = try await fixture.redeem().get()
        // The keys are fetched behind the answer, and libcurl repeats a request on a connection that was kept and is closed.
        let hasFailed = { fixture.reports.all.contains { $0.hasPrefix("keys ") && $0 != "keys ok" } }
        await fixture.settle { hasFailed() }
        #expect(hasFailed())
        fixture.answerToken()
        _ = try await fixture.redeem().get()
    }

    @Test(
        "without keys, the code is not spent",
        arguments: [
            (500, .serverError), (503, .serverError), (429, .throttled), (404, .network), (200, .network),
        ] as [(Int, SignInFailure.Code)])
    func noKeys(status: Int, code: SignInFailure.Code) async throws {
        let fixture = try Fixture()
        fixture.alter { $0.keys = .answer(status: status, body: "") }
        fixture.answerToken()
        let failure = await fixture.redeem().failure
        #expect(failure?.code == code)
        #expect(failure?.retryAfter == 5)
        #expect(fixture.tokenRequests.isEmpty)
    }

    @Test("an unknown key ID fetches the keys at once")
    func rotation() async throws {
        let fixture = try Fixture(keys: [.rsa])
        fixture.answerToken()
        _ = try await fixture.redeem().get()
        fixture.alter { $0.keys = .json(Fixture.keySet([TestKey.rsa.json(), TestKey.otherRSA.json()])) }
        fixture.answerToken(signedBy: .otherRSA)
        _ = try await fixture.redeem().get()
        #expect(fixture.server.count("/keys") == 2)
    }

    @Test("further unknown key IDs fetch the keys at most every 30 s")
    func rotationIsThrottled() async throws {
        let fixture = try Fixture(keys: [.rsa])
        fixture.answerToken(signedBy: .otherRSA)
        for _ in 0..<3 { #expect(await fixture.redeem().failure?.code == .invalidIDToken) }
        #expect(fixture.server.count("/keys") == 2)
        fixture.clock.advance(.seconds(29))
        #expect(await fixture.redeem().failure?.code == .invalidIDToken)
        #expect(fixture.server.count("/keys") == 2)
        fixture.clock.advance(.seconds(1))
        #expect(await fixture.redeem().failure?.code == .invalidIDToken)
        #expect(fixture.server.count("/keys") == 3)
    }

    @Test("a key that is replaced under its own key ID is fetched at once", arguments: [TestKey.otherRSA, .ed25519])
    func replacement(key: TestKey) async throws {
        let fixture = try Fixture(keys: [.rsa])
        fixture.answerToken()
        _ = try await fixture.redeem().get()
        let replacement = key.named("rsa")
        fixture.alter { $0.keys = .json(Fixture.keySet([replacement.json()])) }
        fixture.answerToken(signedBy: replacement, key.defaultAlgorithm)
        _ = try await fixture.redeem().get()
        #expect(fixture.server.count("/keys") == 2)
    }

    @Test("forged signatures under a known key ID fetch the keys as rarely as unknown key IDs")
    func forgedSignatures() async throws {
        let fixture = try Fixture()
        fixture.answerToken(signedBy: TestKey.otherRSA.named("rsa"))
        for _ in 0..<3 { #expect(await fixture.redeem().failure?.code == .invalidIDToken) }
        #expect(fixture.server.count("/keys") == 2)
        fixture.clock.advance(.seconds(29))
        #expect(await fixture.redeem().failure?.code == .invalidIDToken)
        #expect(fixture.server.count("/keys") == 2)
        fixture.clock.advance(.seconds(1))
        #expect(await fixture.redeem().failure?.code == .invalidIDToken)
        #expect(fixture.server.count("/keys") == 3)
    }

    @Test("a forged signature is refused as one while newer keys cannot be had, and good ones are taken")
    func forgedWhileDown() async throws {
        let fixture = try Fixture()
        fixture.answerToken()
        _ = try await fixture.redeem().get()
        fixture.alter { $0.keys = .answer(status: 500, body: "") }
        fixture.answerToken(signedBy: TestKey.otherRSA.named("rsa"))
        for _ in 0..<2 { #expect(await fixture.redeem().failure?.code == .invalidIDToken) }
        #expect(fixture.server.count("/keys") == 2)
        fixture.answerToken()
        _ = try await fixture.redeem().get()
    }

    @Test("a configured issuer needs no discovery")
    func configured() async throws {
        let fixture = try Fixture()
        var request = fixture.request
        request.expectations.issuer = Issuer(try fixture.configured(tokenEndpoint: fixture.server.url + "/token"))
        fixture.answerToken()
        _ = try await fixture.redeem(request).get()
        #expect(fixture.server.count(Fixture.metadataPath) == 0)
    }

    @Test("plain http is not spoken where it is not allowed")
    func plainHTTP() async throws {
        let fixture = try Fixture { $0.allowsLoopbackHTTP = false }
        #expect(await fixture.discover().failure != nil)
        #expect(fixture.server.requests.isEmpty)
    }

    static let lifetimes: [(header: String?, seconds: Int64)] = [
        (nil, 3600), ("max-age=600", 600), ("public, Max-Age=7200", 7200), ("max-age=1", 300), ("no-store", 300),
        ("no-cache, max-age=9000", 300), ("max-age=9999999", 86_400), ("max-age=x", 3600), ("s-maxage=900", 3600),
    ]

    @Test("max-age counts within 5 minutes to 24 hours", arguments: lifetimes)
    func lifetime(header: String?, seconds: Int64) {
        #expect(CacheLifetime.duration(cacheControl: header) == .seconds(seconds))
    }
}
