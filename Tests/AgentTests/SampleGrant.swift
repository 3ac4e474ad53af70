import SwitchyardCrypto
import SwitchyardGateway
import SwitchyardOAuth
import SwitchyardRedemption

@testable import SwitchyardAgent

/// A sign-in at the resource `https://HOST/mcp`.
func grant(
    _ host: String, token: String = "t", refresh: String = "r", size: Int = 0, by beginner: String = "honest",
    account: (id: String, username: String?) = (KeptGrant.unnamedAccount, nil)
) throws -> KeptGrant {
    let endpoint = { (name: String) in try EndpointURL("https://id.\(host)/\(name)", allowingLoopbackHTTP: false) }
    let metadata = IssuerMetadata(
        issuer: "https://id.\(host)", authorizationEndpoint: try endpoint("a"), tokenEndpoint: try endpoint("t"))
    let url = "https://\(host)/mcp"
    return KeptGrant(
        grant: ResourceGrant(
            resource: url, sendsResource: true, metadata: metadata, clientID: "client of \(host)",
            authentication: .none),
        askedURLs: [url],
        account: AgentAccount(
            id: account.id, username: account.username, name: nil, environment: "id.\(host)", tenantID: nil),
        accessToken: Secret(token + String(repeating: "x", count: size)), tokenType: "Bearer", obtainedOn: 1,
        expiresOn: 2, scopes: Scopes(parsing: ""), requested: Scopes(parsing: ""), refreshToken: Secret(refresh),
        bindingKey: nil, beginner: beginner)
}
