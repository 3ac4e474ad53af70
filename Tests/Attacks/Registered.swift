import SwitchyardOAuth
import SwitchyardRouting
import Testing

/// The app that the attacks are after.
enum Registered {
    static let host = Array("login.contoso.com".utf8)
    static let path = Array("/app1/auth".utf8)

    static func table() throws -> RouteTable {
        let uris = ["https://login.contoso.com/app1/auth", "msauth.com.contoso.app1://auth", "http://localhost/app1"]
        let app = AppRegistration(
            id: try #require(AppID("app1")), name: "app1", issuer: "contoso", clientID: "ABCDE-12345",
            redirectURIs: try uris.map { try RedirectURI($0) })
        return try RouteTable([app])
    }
}

/// The placeholders for the state, code and issuer of a pending request.
enum Sample {
    static func filled(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.first {
            let known = values.first { rest.starts(with: $0.name.utf8) }
            out += known.map { Array($0.value.utf8) } ?? [byte]
            rest = rest.dropFirst(known?.name.utf8.count ?? 1)
        }
        return out
    }

    private static let values = [
        (name: "{state}", value: "state-of-a-request"), (name: "{code}", value: "a-code"),
        (name: "{iss}", value: "https%3A%2F%2Fid.example"),
    ]
}
