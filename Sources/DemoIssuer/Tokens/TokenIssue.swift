internal import SwitchyardJSON
internal import SwitchyardOAuth

/// What one token response is made from.
struct TokenIssue: Sendable {
    /// As the code or the refresh token stood for it.
    let grant: Grant
    /// Who asked: the client of the grant, or one of its family.
    let clientID: String
    /// What is granted to this request, of all that the person has allowed.
    let scopes: Scopes
    /// What the grant was redeemed with; nil for a refresh.
    let code: String?
    /// The `claims` that the access token answers to.
    let claimsRequest: JSONObject?
    let wantsClientInfo: Bool
    /// The client's family, told as `foci`.
    let family: String?
    let misbehaviors: Misbehaviors
}
