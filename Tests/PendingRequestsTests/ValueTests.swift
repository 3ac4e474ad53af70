import SwitchyardCrypto
import SwitchyardOAuth
import Testing

@testable import SwitchyardPendingRequests

@Suite("Timestamp") struct TimestampTests {
    @Test("seconds are rounded down", arguments: [(0, 0), (999, 0), (1000, 1), (1_795_000_000_999, 1_795_000_000)])
    func seconds(milliseconds: Int64, seconds: Int64) {
        #expect(Timestamp(milliseconds: milliseconds).seconds == seconds)
    }

    @Test(
        "durations are added to the millisecond",
        arguments: [
            (1000, .milliseconds(250), 1250), (1000, .seconds(600), 601_000), (1000, .milliseconds(-1500), -500),
            (1000, .zero, 1000), (1000, .microseconds(1999), 1001),
        ] as [(Int64, Duration, Int64)])
    func addition(start: Int64, duration: Duration, end: Int64) {
        #expect(Timestamp(milliseconds: start) + duration == Timestamp(milliseconds: end))
    }

    @Test("no time is so far away that a difference or a sum cannot be told")
    func farthest() {
        let (first, last) = (Timestamp(milliseconds: .min), Timestamp(milliseconds: .max))
        #expect(last.milliseconds == Timestamp.farthest && first.milliseconds == -Timestamp.farthest)
        #expect(last - first == .milliseconds(2 * Timestamp.farthest))
        #expect(first + (last - first) == last)
        #expect(last + .seconds(Int64.max) == last && last + .seconds(Int64.min) == first)
    }

    @Test("a difference has a sign, and order follows time")
    func difference() {
        let (early, late) = (Timestamp(milliseconds: 1000), Timestamp(milliseconds: 2500))
        #expect(late - early == .milliseconds(1500))
        #expect(early - late == .milliseconds(-1500))
        #expect(early < late && !(late < early))
    }
}

@Suite("Request id and reference") struct RequestIDTests {
    @Test("an id reads back from its text of 22 characters")
    func idRoundTrip() throws {
        for _ in 0..<200 {
            let id = RequestID()
            #expect(id.description.utf8.count == 22)
            #expect(try #require(RequestID(id.description)) == id)
        }
    }

    @Test(
        "a text that is not exactly an id is refused",
        arguments: [
            "", "AAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAA=", "AAAAAAAAAAAAAAAAAAAAA+",
            "AAAAAAAAAAAAAAAAAAAAA/", "AAAAAAAAAAAAAAAAAAAAA ", " AAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAé",
            // The last character would carry bits that no 16 bytes have: a second spelling of the same id.
            "AAAAAAAAAAAAAAAAAAAAAB", "AAAAAAAAAAAAAAAAAAAAA_",
        ])
    func idRefusals(text: String) {
        #expect(RequestID(text) == nil)
    }

    @Test("ids do not repeat")
    func idsDiffer() {
        #expect(Set((0..<1000).map { _ in RequestID() }).count == 1000)
    }

    @Test("a reference reads back from its text of 10 characters without I, L, O and U")
    func referenceRoundTrip() throws {
        for _ in 0..<200 {
            let reference = Reference()
            let text = reference.description
            #expect(text.utf8.count == 10 && !text.contains { "ILOU".contains($0) })
            #expect(try #require(Reference(text)) == reference)
        }
    }

    @Test(
        "a text that is not exactly a reference is refused",
        arguments: [
            "", "012345678", "01234567890", "I123456789", "L123456789", "U123456789", "a123456789", "0123-45678",
        ])
    func referenceRefusals(text: String) {
        #expect(Reference(text) == nil)
    }

    @Test(
        "the smallest and the greatest reference keep their digits",
        arguments: ["0000000000", "ZZZZZZZZZZ", "000000000Z"])
    func referenceEdges(text: String) {
        #expect(Reference(text)?.description == text)
    }
}

@Suite("Held responses") struct HeldResponseTests {
    @Test(
        "a packed value reads back whole",
        arguments: [
            CallbackParameters.none, CallbackParameters(values: [], isCut: true),
            CallbackParameters(values: [FormField("user", #"{"name":"ä"}"#), FormField("x", "")], isCut: false),
        ])
    func roundTrip(parameters: CallbackParameters) throws {
        let held = HeldResponse(
            .code(Secret("the code"), parameters, arrival: 1_764_000_000), proof: SHA256Digest(of: "p"))
        let back = try #require(HeldResponse(packed: held.packed))
        guard case .code(let code, let read, arrival: 1_764_000_000) = back.content else {
            return #expect(Bool(false), "no code")
        }
        #expect(code == Secret("the code") && read == parameters && back.proof == held.proof)
    }
}

@Suite("Request secrets") struct RequestSecretsTests {
    static let all = [
        RequestSecrets(state: "s", verifier: nil, challenge: nil, nonce: nil, parameters: []),
        RequestSecrets(
            state: "a state & = + %", verifier: Secret("v"), challenge: nil, nonce: "n ä",
            parameters: [FormField("prompt", "login"), FormField("x", ""), FormField("x", "second")]),
        RequestSecrets(
            state: "s", verifier: nil, challenge: "c", nonce: nil,
            // Names like those of the secrets themselves stay what they are.
            parameters: [FormField("state", "other"), FormField("verifier", "v"), FormField("+", "plus")]),
        RequestSecrets(
            state: "s", verifier: Secret("v"), challenge: nil, nonce: nil, parameters: [FormField("x", "")],
            tokenParameters: [FormField("resource", "https://r/"), FormField("x", "")],
            remoteSignIn: Secret(#"{"gateway":"https://g"}"#)),
        bound,
    ]

    private static var bound: RequestSecrets {
        var secrets = RequestSecrets(
            state: "s", verifier: Secret("v"), challenge: nil, nonce: nil, parameters: [FormField("dpop_jkt", "x")])
        secrets.bindingKey = Secret(#"{"kty":"EC"}"#)
        return secrets
    }

    @Test("a packed value reads back whole", arguments: all.indices)
    func roundTrip(index: Int) throws {
        let secrets = Self.all[index]
        let back = try #require(RequestSecrets(packed: secrets.packed))
        #expect(back.state == secrets.state)
        #expect(back.verifier == secrets.verifier)
        #expect(back.challenge == secrets.challenge)
        #expect(back.nonce == secrets.nonce)
        #expect(back.parameters == secrets.parameters)
        #expect(back.tokenParameters == secrets.tokenParameters)
        #expect(back.remoteSignIn == secrets.remoteSignIn)
        #expect(back.bindingKey == secrets.bindingKey)
    }

    @Test("bytes without a state are no secrets", arguments: ["", "verifier=v", "%zz=1", "+state=s"])
    func refusals(text: String) {
        #expect(RequestSecrets(packed: Array(text.utf8)) == nil)
    }
}
