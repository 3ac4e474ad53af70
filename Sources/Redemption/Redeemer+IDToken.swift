internal import SwitchyardJOSE
internal import SwitchyardJSON
internal import SwitchyardOAuth

extension Redeemer {
    /// The claims of the ID token, verified; nil when there is none and none was asked for.
    func verifiedClaims(
        of response: TokenResponse, _ request: RedemptionRequest, _ metadata: IssuerMetadata
    ) async throws(SignInFailure) -> JSONObject? {
        guard let compact = response.idToken else {
            guard request.requiresIDToken else { return nil }
            throw Self.invalid("the token response has no id_token, though openid was asked for")
        }
        let token: UnverifiedJWT
        do throws(JWTError) {
            token = try UnverifiedJWT.parse(compact)
        } catch {
            throw Self.invalid(IDTokenError.unreadable(error).description)
        }
        let problem: SignatureError?
        do throws(IssuerUnavailable) {
            problem = try await signatureProblem(of: token, request.issuer, metadata)
        } catch {
            throw SignInFailure(error)
        }
        if let problem { throw Self.invalid("the ID token: \(problem)") }
        let expectations = IDTokenExpectations(
            issuer: metadata.expectedIssuer(tenants: request.tenants), clientID: request.clientID,
            nonce: request.nonce, now: time.wallSeconds(), clockSkew: request.issuer.settings.clockSkew,
            accessToken: response.accessToken, code: request.code)
        do throws(IDTokenError) {
            try expectations.validate(token)
        } catch {
            throw Self.invalid(error.description)
        }
        return token.claims
    }

    private static func invalid(_ description: String) -> SignInFailure {
        SignInFailure(.invalidIDToken, description: description)
    }
}
