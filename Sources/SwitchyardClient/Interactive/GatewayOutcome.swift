internal import SwitchyardCrypto
internal import SwitchyardJSON
internal import SwitchyardOAuth

/// Reads the outcome of a sign-in from a gateway.
enum GatewayOutcome {
    /// - Parameters:
    ///   - deviations: of the issuer.
    ///   - isBound: whether the tokens are bound to a key.
    static func tokens(
        _ outcome: JSONObject, _ deviations: Deviations = .none, isBound: Bool = false
    ) throws(AuthenticationError) -> TokenResponse {
        if let failure = failure(outcome) { throw failure }
        guard let members = outcome["token_response"] else {
            throw AuthenticationError(
                .gatewayFailed, .invalidResponse, "the gateway completed without a token response")
        }
        do throws(TokenResponseError) {
            return try TokenResponse.parse(
                body: members.serialized, deviations: deviations.ofPassedOnTokens, isBound: isBound)
        } catch {
            throw AuthenticationError(.gatewayFailed, .invalidResponse, error.description)
        }
    }

    /// The authorization response that the gateway carried, checked as if it had come to this process.
    /// - Parameters:
    ///   - redirectURI: of the request.
    ///   - names: the issuer's own names of parameters.
    static func response(
        _ outcome: JSONObject, redirectURI: RedirectURI, state: String, _ issuer: IssuerIdentification,
        names: ParameterNames = ParameterNames()
    ) throws(AuthenticationError) -> CheckedResponse {
        if let failure = failure(outcome) { throw failure }
        let fields = (outcome["parameters"]?.object?.members ?? []).compactMap { name, value in
            value.string.map { (name, $0) }
        }
        guard let url = outcome["url"]?.string, let callback = try? CallbackAddress(relayed: url) else {
            throw AuthenticationError(.gatewayFailed, .invalidResponse, "the gateway completed without a callback")
        }
        let unchecked: UncheckedResponse
        do throws(AuthorizationResponseError) {
            unchecked = try UncheckedResponse(
                query: FormEncoding.encode(fields), content: nil, names: names, at: callback.form)
        } catch {
            throw AuthenticationError(.gatewayFailed, .invalidResponse, error.description)
        }
        guard let matched = try? unchecked.matched(redirectURI: redirectURI.form, state: SHA256Digest(of: state)) else {
            throw AuthenticationError(
                .gatewayFailed, .invalidState, "the gateway brought the response of another request")
        }
        do throws(AuthorizationResponseError) {
            return try matched.checked(by: issuer)
        } catch {
            throw AuthenticationError(.invalidResponse, .invalidResponse, error.description)
        }
    }

    private static func failure(_ outcome: JSONObject) -> AuthenticationError? {
        guard let error = outcome["error"]?.object else { return nil }
        return AuthenticationError(SignInFailure(json: error))
    }
}
