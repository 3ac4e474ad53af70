internal import SwitchyardGatewayClient
internal import SwitchyardJSON
internal import SwitchyardOAuth

extension AuthenticationError {
    /// - Parameter redirectURI: the redirect URI that the gateway was asked to serve.
    init(_ failure: GatewayCallError, redirectURI: RedirectURI? = nil) {
        switch failure {
        case .expired: self.init(.timedOut, .responseNotReceived, failure.description)
        case .refused(let refusal):
            let (status, body, name) = (refusal.status, refusal.body, refusal.code)
            self.init(.gatewayFailed, nil, failure.description)
            switch (status, name) {
            case (429, _): code = .throttled
            case (503, _): code = .temporarilyUnavailable
            case (400, "invalid_request"): (code, internalCode) = (.invalidConfiguration, .invalidParameter)
            case (401, _), (403, _): (code, internalCode) = (.gatewayFailed, .unauthorizedClient)
            default: break
            }
            if let redirectURI, body["parameter"]?.string == "redirect_uri" {
                (code, internalCode) = (.invalidConfiguration, .invalidRedirectURI)
                message = "the gateway does not serve the redirect URI \(redirectURI): \(failure.description)"
            }
            oauthError = name
            httpStatus = status
            retryAfter = refusal.retryAfter
        case .answeredByAnother(let status, let seconds):
            self.init(.gatewayFailed, nil, failure.description)
            (httpStatus, retryAfter) = (status, seconds)
        case .canceled: self = .canceled
        case .invalidAddress, .unreachable, .malformedResponse, .local:
            self.init(.gatewayFailed, nil, failure.description)
        }
        underlyingError = failure
    }
}
