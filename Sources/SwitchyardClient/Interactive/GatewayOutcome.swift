internal import SwitchyardCrypto
internal import SwitchyardJSON
internal import SwitchyardOAuth

/// Reads what a gateway says of a sign-in that ended.
enum GatewayOutcome {
    static func tokens(_ outcome: JSONObject) throws(AuthenticationError) -> TokenResponse {
        if let failure = failure(outcome) { throw failure }
        guard let members = outcome["token_response"] else {
            throw AuthenticationError(
                .gatewayFailed, .invalidResponse, "the gateway completed without a token response")
        }
        do throws(TokenResponseError) {
            return try TokenResponse.parse(body: members.serialized)
        } catch {
            throw AuthenticationError(.gatewayFailed, .invalidResponse, error.description)
        }
    }

    /// The authorization response that the gateway carried, checked as if it had come to this process.
    static func response(
        _ outcome: JSONObject, state: String, _ metadata: IssuerMetadata, _ tenants: TenantRule
    ) throws(AuthenticationError) -> AuthorizationResponse {
        if let failure = failure(outcome) { throw failure }
        let fields = (outcome["parameters"]?.object?.members ?? []).compactMap { name, value in
            value.string.map { (name, $0) }
        }
        let response: AuthorizationResponse
        do throws(AuthorizationResponseError) {
            response = try AuthorizationResponse.parse(query: FormEncoding.encode(fields), content: nil)
        } catch {
            throw AuthenticationError(.gatewayFailed, .invalidResponse, error.description)
        }
        guard response.state.exposedText == state else {
            throw AuthenticationError(
                .gatewayFailed, .invalidState, "the gateway brought the response of another request")
        }
        let expected = metadata.expectedIssuer(tenants: tenants)
        let isRight =
            response.issuer.map(expected.accepts) ?? !metadata.authorizationResponseIssParameterSupported
        guard isRight else {
            throw AuthenticationError(
                .invalidResponse, .invalidResponse, "the response is not of the issuer that was asked (iss)")
        }
        return response
    }

    private static func failure(_ outcome: JSONObject) -> AuthenticationError? {
        guard let error = outcome["error"]?.object else { return nil }
        return AuthenticationError(SignInFailure(json: error))
    }
}

extension SignInFailure {
    /// The `error` object of a gateway's API. A code that is not known here is `internal`.
    init(json: JSONObject) {
        self.init(
            json["code"]?.string.flatMap(Code.init(rawValue:)) ?? .internal,
            internalCode: json["internal_code"]?.integer.map { Int(clamping: $0) },
            oauthError: json["oauth_error"]?.string, oauthSuberror: json["oauth_suberror"]?.string,
            description: json["description"]?.string, correlationID: json["correlation_id"]?.string,
            httpStatus: json["http_status"]?.integer.map { Int(clamping: $0) },
            retryAfter: json["retry_after"]?.integer.map { Int(clamping: $0) }, claims: json["claims"]?.string)
    }
}
