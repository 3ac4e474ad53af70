import SwitchyardHTTP
import SwitchyardOAuth
import SwitchyardRouting
import Testing

@testable import SwitchyardGateway

extension BeginParameters {
    static let state = "0123456789abcdefghijkl"
    /// The example of RFC 7636 appendix B.
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    /// The parameters of a call with `members` beside the app's name.
    static func sample(_ members: String = "", app: String = "mail") throws -> BeginParameters {
        try sample(json: "{\"app\": \"\(app)\"\(members.isEmpty ? "" : ", \(members)")}")
    }

    static func sample(json: String) throws -> BeginParameters {
        try BeginParameters(.sample(json: json), routes: routes(), binds: { $0.bindsTokens(asDocument: false) })
    }

    /// A call in response mode.
    static func response(_ members: String) throws -> BeginParameters {
        try sample("\"completion\": \"response\", \(members)")
    }

    private static func routes() throws -> RouteTable {
        try RouteTable([
            app(
                "mail",
                ["msauth.mail://auth", "http://127.0.0.1/cb", "https://login.example/mail", "https://login.example/2"]),
            app("cli", ["http://localhost:8080/", "http://[::1]/cb"]),
            app("device", ["https://login.example/device"], returnURI: "http://127.0.0.1/back"),
            app("local", ["https://login.example/local", "x-local://auth"], [.loopback]),
            app(
                "listed", ["https://login.example/listed"], [.socket(path: "/run/a"), .loopback]),
            app("legacy", ["https://login.example/legacy"], [.redirect(target: RedirectURI("x-legacy://callback"))]),
        ])
    }

    private static func app(
        _ id: String, _ redirectURIs: [String], _ handlers: HandlerList = [.pending], returnURI: String? = nil
    ) throws -> AppRegistration {
        AppRegistration(
            id: try #require(AppID(id)), name: id, issuer: "contoso", clientID: "client",
            redirectURIs: try redirectURIs.map { try RedirectURI($0) }, handlers: handlers,
            release: returnURI == nil ? .code : .sameDevice, defaultScope: Scopes(parsing: "openid profile"),
            returnURI: try returnURI.map { try RedirectURI($0) })
    }
}
