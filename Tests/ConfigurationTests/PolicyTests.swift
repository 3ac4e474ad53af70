import SwitchyardConfiguration
import SwitchyardOAuth
import SwitchyardRouting
import Testing

@Suite("Release, response mode and start") struct PolicyTests {
    private static let https = "redirect_uris: ['https://login.contoso.com/a']"
    private static let schemeOnly = "redirect_uris: ['x-app://cb']"
    private static let loopbackOnly = "redirect_uris: ['http://127.0.0.1/cb']"
    private static let mixed = "redirect_uris: ['https://login.contoso.com/a', 'x-app://cb']"

    private func load(_ keys: String) -> LoadOutcome {
        Sample(
            publicURL: "https://localhost:8443", apps: "[{ id: a, issuer: contoso, client_id: x, \(keys) }]"
        ).load()
    }

    @Test("release is code when it is left out")
    func defaultRelease() {
        let outcome = load(Self.schemeOnly)
        #expect(outcome.configuration?.apps.map(\.release) == [.code], "\(outcome.errors)")
        #expect(!outcome.warnings.contains { $0.contains("release") })
    }

    @Test("every release policy can be chosen", arguments: ReleasePolicy.allCases)
    func release(policy: ReleasePolicy) {
        let more = policy == .sameDevice ? ", return_uri: 'x-app://done'" : ""
        let outcome = load("\(Self.schemeOnly), release: \(policy.rawValue)\(more)")
        #expect(outcome.configuration?.apps.map(\.release) == [policy], "\(outcome.errors)")
    }

    @Test("every response mode can be chosen with an https redirect URI", arguments: ResponseMode.allCases)
    func responseMode(mode: ResponseMode) {
        let outcome = load("\(Self.https), response_mode: \(mode.rawValue)")
        #expect(outcome.configuration?.apps.map(\.responseMode) == [mode], "\(outcome.errors)")
        #expect(!outcome.warnings.contains { $0.contains("response_mode") })
    }

    @Test(
        "a mode that a custom scheme or loopback cannot carry needs an https redirect URI, and warns of others",
        arguments: ResponseMode.allCases, [Self.schemeOnly, Self.loopbackOnly])
    func carriers(mode: ResponseMode, uris: String) {
        let isCarried = mode.carrier == .query
        let outcome = load("\(uris), response_mode: \(mode.rawValue)")
        #expect(
            isCarried
                ? outcome.configuration != nil
                : outcome.hasOnlyError(containing: "response_mode \(mode.rawValue) without an https redirect URI"),
            "\(outcome.errors)")
        let both = load("\(Self.mixed), response_mode: \(mode.rawValue)")
        #expect(both.configuration != nil, "\(both.errors)")
        #expect(both.warnings.contains { $0.contains("x-app://cb") && $0.contains("not https") } != isCarried)
    }

    @Test(
        "a wrong word is refused with the nearest one",
        arguments: [
            ("response_mode: form-post", "did you mean \"form_post\"?"),
            ("release: same-network", "did you mean \"same_network\"?"),
            ("require_start: yes", "write true or false"), ("require_start: [true]", "a list"),
        ])
    func wrongWord(key: String, words: String) {
        let outcome = load("\(Self.https), \(key)")
        #expect(outcome.hasOnlyError(containing: words), "\(outcome.errors)")
    }

    @Test(
        "require_start is true or false, and false when left out",
        arguments: [("true", true), ("false", false), (nil, false)])
    func requireStart(written: String?, expected: Bool) {
        let outcome = load(Self.https + (written.map { ", require_start: \($0)" } ?? ""))
        #expect(outcome.configuration?.apps.map(\.requiresStart) == [expected], "\(outcome.errors)")
    }

    @Test("require_start needs an https redirect URI, where its cookie comes")
    func requireStartWithoutCookie() {
        #expect(
            load("\(Self.schemeOnly), require_start: true").hasOnlyError(containing: "without an https redirect URI"))
        let both = load("\(Self.mixed), require_start: true")
        #expect(both.configuration != nil && both.warnings.contains { $0.contains("require_start beside") })
        #expect(load("\(Self.schemeOnly), require_start: false").configuration != nil)
    }

    @Test(
        "return_uri is loopback, with or without a port, or a custom scheme",
        arguments: [
            "http://127.0.0.1/done", "http://127.0.0.1:7777/done", "http://localhost/done", "http://[::1]/done",
            "x-app://done",
        ])
    func returnURI(text: String) {
        let outcome = load("\(Self.https), release: same_device, return_uri: '\(text)'")
        #expect(outcome.configuration?.apps.map { $0.returnURI?.text } == [text], "\(outcome.errors)")
    }

    @Test(
        "any other return_uri is refused",
        arguments: [
            ("https://app.contoso.com/done", "does not stay on the device"),
            ("https://127.0.0.1/done", "does not stay on the device"), ("http://app.contoso.com/done", "plain http"),
            ("http://127.0.0.1/done?a=b", "has a query"), ("http://127.0.0.1/done#a", "has a fragment"),
            ("javascript:alert(1)", "handle themselves"), ("done", "no valid scheme"),
            ("http://127.0.0.1.contoso.com/x", "plain http"), ("http://user@127.0.0.1/x", "user name"),
        ])
    func wrongReturnURI(text: String, words: String) {
        let outcome = load("\(Self.https), release: same_device, return_uri: '\(text)'")
        #expect(outcome.hasOnlyError(containing: words), "\(outcome.errors)")
    }

    @Test("same_device needs a return_uri, and no other policy takes one", arguments: ReleasePolicy.allCases)
    func returnURIBelongsToSameDevice(policy: ReleasePolicy) {
        let bare = load("\(Self.https), release: \(policy.rawValue)")
        let given = load("\(Self.https), release: \(policy.rawValue), return_uri: 'x-app://done'")
        if policy == .sameDevice {
            #expect(bare.hasOnlyError(containing: "release same_device without a return_uri"), "\(bare.errors)")
            #expect(given.configuration != nil)
        } else {
            #expect(bare.configuration != nil)
            #expect(given.hasOnlyError(containing: "\"return_uri\" has no meaning here"), "\(given.errors)")
        }
    }

    @Test(
        "a return_uri is no redirect URI of any app, whatever its port",
        arguments: [
            "x-other://cb", "http://127.0.0.1:9/cb", "http://127.0.0.1/cb",
        ])
    func returnURIIsNoRedirectURI(text: String) {
        let apps = """
            [{ id: a, issuer: contoso, client_id: x, \(Self.https), release: same_device, return_uri: '\(text)' },
             { id: b, issuer: contoso, client_id: y, redirect_uris: ['x-other://cb', 'http://127.0.0.1:1/cb'] }]
            """
        let outcome = Sample(apps: apps).load()
        #expect(outcome.hasOnlyError(containing: "is a redirect URI of \"b\""), "\(outcome.errors)")
    }
}
