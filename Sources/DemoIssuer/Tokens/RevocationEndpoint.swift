internal import SwitchyardHTTP

/// The revocation endpoint (RFC 7009 section 2).
struct RevocationEndpoint: Sendable {
    let clients: ClientRegistry
    let grants: GrantStore

    /// 200 also for an unknown token: it is out of use, as the client wanted (section 2.2).
    func respond(to request: Request) -> Response {
        do throws(TokenError) {
            let parameters = try TokenRequest.parameters(of: request)
            let client = try ClientCredentials(request, parameters)
            try client.authenticate(by: clients)
            guard let token = parameters["token"] else { throw .missing("token") }
            guard grants.revoke(token, of: client.clientID) else { throw .foreignToken }
            return Response(.ok)
        } catch {
            return error.response
        }
    }
}

extension TokenError {
    fileprivate static let foreignToken = TokenError("unauthorized_client", "The token is another client's.")
}
