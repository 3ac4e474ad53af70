internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardReactor

/// The demo's story: one sign-in step by step, then attacks and their refusals.
package struct DemoTour: Sendable {
    private let world: DemoWorld
    private let say: @Sendable (String) -> Void

    /// - Parameter say: prints one line or more.
    package init(_ world: DemoWorld, say: @escaping @Sendable (String) -> Void) {
        self.world = world
        self.say = say
    }

    /// Only from a task of an event loop.
    package func run() async throws {
        say("gateway  \(world.gatewayURL)\nissuer   \(world.issuerURL)\ntrust    \(world.certificates.shown)\n")
        let client = HTTPClient(loop: .required)
        var browser = DemoBrowser(client, trustAnchor: world.trustAnchor)
        let begin = Instant.now()

        say("A sign-in, from the app's first call to its tokens:\n")
        let begun = try await step("the app begins", "it gets an address to open, and keeps a result token") {
            let begun = try await world.begin(["host_label": "devbox-7"], with: client)
            return (begun, "reference \(begun.reference)")
        }
        let consent = try await step(
            "the browser starts", "state, nonce and PKCE are the gateway's own; no page sees the verifier"
        ) {
            let start = try await browser.open(begun.startURL)
            guard start.status == 303, let issuer = start.location else { throw unexpected(start) }
            let page = try await browser.open(issuer)
            return (page, DemoBrowser.text(of: "title", in: page.html) ?? "")
        }
        let approved = try await step(
            "the person consents", "the issuer sends the browser to the app's own redirect URI"
        ) {
            let page = try await browser.submit(consent, ["demo_user": "alice", "demo_decision": "approve"])
            guard let callback = page.location else { throw unexpected(page) }
            return (callback, String(callback.prefix { $0 != "?" }))
        }
        let done = try await step(
            "the callback arrives", "state, redirect URI and issuer fit; the code is held, and not redeemed yet"
        ) {
            let page = try await browser.open(approved)
            guard page.status == 303, let done = page.location else { throw unexpected(page) }
            return (done, "303, the code is out of the address bar")
        }
        let code = try await step(
            "the page shows a code", "only in this browser: who began the sign-in is who can finish it"
        ) {
            let page = try await browser.open(done)
            guard let code = DemoBrowser.text(ofElementWithID: "release-code", in: page.html) else {
                throw unexpected(page)
            }
            return (code, code)
        }
        _ = try await step("the person types it in", "now the code is redeemed, and the ID token verified") {
            guard case .released = try await begun.release(code: code, with: client) else {
                throw DemoError("the gateway did not take the code \(code)")
            }
            return ((), "204")
        }
        let result = try await step("the app collects", "token response whole, scopes compared, claims verified") {
            guard case .outcome(let outcome) = try await begun.wait(seen: .releaseRequired, with: client) else {
                throw DemoError("there is no outcome")
            }
            return (outcome, outcome["status"]?.string ?? "")
        }
        _ = try await step("the page tells", "the same browser sees what became of it") {
            let page = try await browser.open(done)
            return ((), DemoBrowser.text(of: "h1", in: page.html) ?? "status \(page.status)")
        }
        say("\n  whole sign-in: \(Self.milliseconds(Instant.now() - begin))\n")
        try await showRefusals(approved, begun, browser, client)
        say("The result (tokens shortened):\n\n\(Self.shortened(result))")
    }

    private func showRefusals(
        _ callback: String, _ begun: PendingSignIn, _ browser: DemoBrowser, _ client: HTTPClient
    ) async throws {
        var browser = browser
        say("And what does not pass:\n")
        _ = try await step("the same callback again", "a reload gets the same page; the code is not redeemed twice") {
            ((), "status \(try await browser.open(callback).status)")
        }
        _ = try await step("another code, same state", "a used state with another code is refused as an attack") {
            let forged = callback.split(separator: "code=", maxSplits: 1).joined(separator: "code=x")
            return ((), "status \(try await browser.open(forged).status)")
        }
        _ = try await step("another browser asks", "the reference alone tells nobody anything") {
            var stranger = DemoBrowser(client, trustAnchor: world.trustAnchor)
            let page = try await stranger.open("\(world.gatewayURL)/done/\(begun.reference)")
            return ((), DemoBrowser.text(of: "h1", in: page.html) ?? "status \(page.status)")
        }
        _ = try await step(
            "somebody else's sign-in",
            "a person followed an attacker's link; without the code the attacker gets nothing"
        ) {
            ((), try await attack(client))
        }
        _ = try await step("the person says no", "a refusal reaches the waiting app at once, as itself") {
            ((), try await failure(of: try await world.begin(with: client), decision: "deny", client))
        }
        _ = try await step("an ID token of a wrong key", "what does not verify by the issuer's keys ends the sign-in") {
            let begun = try await world.begin(["app": .string(DemoWorld.misledApp)], with: client)
            return ((), try await failure(of: begun, decision: "approve", client))
        }
        say("")
    }

    /// An attacker begins, a victim's browser signs in, and the attacker guesses at the code that only the victim sees.
    private func attack(_ client: HTTPClient) async throws -> String {
        let begun = try await world.begin(with: client)
        _ = try await visit(begun, decision: "approve", client)
        for guess in ["BCDF-GHJK", "LMNP-QRST", "VWXZ-BCDF"] { _ = try await begun.release(code: guess, with: client) }
        return try await error(of: begun, client)
    }

    /// Runs a sign-in that must fail, and returns the error code for the app.
    private func failure(of begun: PendingSignIn, decision: String, _ client: HTTPClient) async throws -> String {
        let last = try await visit(begun, decision: decision, client)
        if let code = DemoBrowser.text(ofElementWithID: "release-code", in: last.html) {
            _ = try await begun.release(code: code, with: client)
        }
        return try await error(of: begun, client)
    }

    /// Signs in, or does not, in a browser of its own; gives the page at the end.
    private func visit(_ begun: PendingSignIn, decision: String, _ client: HTTPClient) async throws -> DemoBrowser.Page
    {
        var browser = DemoBrowser(client, trustAnchor: world.trustAnchor)
        let start = try await browser.open(begun.startURL)
        guard let issuer = start.location else { throw unexpected(start) }
        let consent = try await browser.open(issuer)
        var page = try await browser.submit(consent, ["demo_user": "alice", "demo_decision": decision])
        while let next = page.location { page = try await browser.open(next) }
        return page
    }

    private func error(of begun: PendingSignIn, _ client: HTTPClient) async throws -> String {
        guard case .outcome(let outcome) = try await begun.wait(seen: .releaseRequired, with: client) else {
            return ""
        }
        return outcome["error"]?.object?["code"]?.string ?? "no error"
    }

    private func step<Value>(
        _ name: String, _ proves: String, _ body: () async throws -> (Value, String)
    ) async throws -> Value {
        let begin = Instant.now()
        let (value, shown) = try await body()
        let time = Self.milliseconds(Instant.now() - begin)
        say("  \(name.padded(to: 28))\(time.leftPadded(to: 9))  \(shown)")
        say("  \("".padded(to: 39))(\(proves))")
        return value
    }

    private func unexpected(_ page: DemoBrowser.Page) -> DemoError {
        DemoError("unexpected answer \(page.status): \(DemoBrowser.text(of: "h1", in: page.html) ?? "no page")")
    }

    private static func milliseconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let tenths = seconds * 10_000 + attoseconds / 100_000_000_000_000
        return "\(tenths / 10).\(tenths % 10) ms"
    }

    /// The result with every long string cut, so that a terminal keeps no token.
    private static func shortened(_ result: JSONObject) -> String {
        func cut(_ value: JSONValue) -> JSONValue {
            switch value {
            case .string(let text) where text.count > 40: .string("\(text.prefix(12))…")
            case .object(let object): .object(object.mapValues(cut))
            case .array(let elements): .array(elements.map(cut))
            default: value
            }
        }
        return result.members.map { member in
            "  \(member.name): \(String(decoding: cut(member.value).serialized, as: UTF8.self))"
        }.joined(separator: "\n")
    }
}

extension JSONObject {
    fileprivate func mapValues(_ change: (JSONValue) -> JSONValue) -> JSONObject {
        var object = JSONObject()
        for member in members { object[member.name] = change(member.value) }
        return object
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    fileprivate func leftPadded(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}
