internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardRedemption

/// A sign-in that has begun: the answer to `POST /v1/requests`.
struct BegunSignIn: Sendable {
    let record: RequestRecord
    let resultToken: String
    let state: String
    /// The authorization request; nil if the app composes its own.
    let request: AuthorizationRequest?
    /// The issuer's answer to a request that was pushed already.
    let pushed: PushedRequest?
    /// Whether the request goes to the issuer before the browser does.
    let isPushed: Bool
    /// Whether the app has `require_start`.
    let requiresStart: Bool
    /// The sign-in at the gateway to which the callbacks come; nil if they come here.
    let remote: RemoteSignIn?

    /// Whether the browser must begin at the start page. A request that is still to be pushed is pushed there.
    private var mustStartThere: Bool { remote?.mustStartThere ?? (requiresStart || isPushed && pushed == nil) }

    func response(_ setup: Setup) -> Response {
        var object: JSONObject = ["id": .string("\(record.id)"), "result_token": .string(resultToken)]
        if let request {
            let url = pushed.map { request.url(of: $0) } ?? request.url
            let startURL = remote?.startURL ?? setup.startURL(of: record.id, for: url)
            object["authorization_url"] = .string(mustStartThere ? startURL : url)
            object["start_url"] = .string(startURL)
        }
        object["redirect_uri"] = .string(record.redirectURI)
        object["state"] = .string(state)
        object["reference"] = .string("\(record.reference)")
        object["expires_in"] = .integer(
            remote?.lifetime.components.seconds
                ?? (record.expiresAt.milliseconds - record.createdAt.milliseconds) / 1000)
        var response = Response.json(.created, object)
        response.add("Location", "/v1/requests/\(record.id)")
        return response
    }
}
