internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardRouting

/// The party that redeems the code, as the call says and the app's settings allow.
extension BeginParameters {
    static func mode(_ content: JSONContent, _ scope: Scopes) throws(APIError) -> Mode {
        switch try content.text("completion") ?? RequestRecord.Completion.tokens.rawValue {
        case RequestRecord.Completion.tokens.rawValue:
            for name in ["state", "code_challenge", "code_challenge_method", "nonce"] where content[name] != nil {
                throw .invalidRequest("\"\(name)\" is the gateway's own with completion \"tokens\"")
            }
            return .tokens
        case RequestRecord.Completion.response.rawValue: return try appRedeems(content, scope)
        default: throw .invalidRequest("\"completion\" has to be \"tokens\" or \"response\"")
        }
    }

    private static func appRedeems(_ content: JSONContent, _ scope: Scopes) throws(APIError) -> Mode {
        let state = try content.requiredText("state", minimum: 16, maximum: 2048)
        guard state.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .invalidRequest("\"state\" may hold visible ASCII only")
        }
        let challenge = try content.text("code_challenge", maximum: 128)
        let nonce = try content.text("nonce", maximum: 512)
        if let method = try content.text("code_challenge_method"), method != "S256" {
            throw .invalidRequest("\"code_challenge_method\" has to be \"S256\"")
        }
        guard let challenge else {
            if nonce != nil { throw .invalidRequest("\"nonce\" is of use only together with \"code_challenge\"") }
            return .response(state: state, challenge: nil, nonce: nil)
        }
        guard PKCE.isChallenge(challenge) else {
            throw .invalidRequest("\"code_challenge\" is no S256 challenge (RFC 7636): 43 characters of base64url")
        }
        if scope.contains("openid"), nonce == nil {
            throw .invalidRequest("\"nonce\" is missing: the scope holds \"openid\"")
        }
        return .response(state: state, challenge: challenge, nonce: nonce)
    }

    /// Checks the mode against the app's settings.
    static func check(
        _ mode: Mode, _ content: JSONContent, of app: AppRegistration, _ scope: Scopes, isForResource: Bool
    ) throws(APIError) {
        if app.tokenHandling.fetchesUserInfo, case .tokens = mode, !scope.contains("openid") {
            throw APIError(.badRequest, "invalid_scope", "\"scope\" lacks \"openid\", which the app's userinfo needs")
        }
        if app.takesAnyIssuer {
            guard case .response(_, nil, _) = mode else {
                throw .invalidRequest(
                    "\"completion\" has to be \"response\", without \"code_challenge\": \"\(app.id.text)\" takes any "
                        + "issuer, so only the app itself can send the browser and redeem")
            }
        }
        if app.requiresStart, case .response(_, nil, _) = mode {
            throw .invalidRequest(
                "\"code_challenge\" is missing: the app has require_start, so the gateway has to send the browser")
        }
        if app.handlers.sendsToLoopback { try checkLoopback(content, mode) }
        if !app.handlers.holdsRequests, case .tokens = mode {
            throw .invalidRequest(
                "\"completion\" has to be \"response\": the app's handlers hand the callback over, and the app redeems")
        }
        if isForResource, case .response = mode {
            throw .invalidRequest(
                "\"completion\" has to be \"tokens\" for a resource: only the gateway knows its client")
        }
    }

    /// Checks a request for the handler `loopback`. The app that listens on loopback redeems the code, and the callback
    /// is for the app alone.
    private static func checkLoopback(_ content: JSONContent, _ mode: Mode) throws(APIError) {
        guard case .response = mode else {
            throw .invalidRequest(
                "\"completion\" has to be \"response\": with the handler loopback the app redeems by itself, so it gives its "
                    + "own \"state\" and \"code_challenge\"")
        }
        guard content.value("result_key") == nil else {
            throw .invalidRequest("\"result_key\" is of no use with the handler loopback: no result is kept here")
        }
    }
}
