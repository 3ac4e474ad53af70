internal import SwitchyardCrypto
internal import SwitchyardJOSE
internal import SwitchyardJSON
internal import SwitchyardOAuth

extension Redeemer {
    /// The claims of the ID token, verified; nil when there is none and none was asked for.
    func verifiedClaims(
        of response: TokenResponse, _ expected: TokenExpectations, code: Secret?, _ metadata: IssuerMetadata
    ) async throws(SignInFailure) -> JSONObject? {
        guard let compact = response.idToken else {
            guard expected.requiresIDToken else { return nil }
            throw Self.invalid("the token response has no id_token, though openid was asked for")
        }
        let token: UnverifiedJWT
        do throws(JWTError) {
            token = try UnverifiedJWT.parse(compact)
        } catch {
            throw Self.invalid("\(IDTokenError(.unreadable(error)))")
        }
        let verification: Result<VerifiedJWT, SignatureError>
        do throws(IssuerUnavailable) {
            verification = try await verifySignature(of: token, expected.issuer, metadata)
        } catch {
            throw SignInFailure(error)
        }
        let verified: VerifiedJWT
        do throws(SignatureError) {
            verified = try verification.get()
        } catch {
            throw Self.invalid("the ID token: \(error)")
        }
        let expectations = IDTokenExpectations(
            issuer: metadata.expectedIssuer(tenants: expected.tenants), clientID: expected.clientID,
            nonce: expected.nonce, now: time.wallSeconds(), clockSkew: expected.issuer.settings.clockSkew,
            accessToken: response.accessToken, code: code)
        do throws(IDTokenError) {
            return try expectations.claims(of: verified)
        } catch {
            throw Self.invalid("\(error)")
        }
    }

    private static func invalid(_ description: IssuerText) -> SignInFailure {
        SignInFailure(.invalidIDToken, description: description)
    }
}
