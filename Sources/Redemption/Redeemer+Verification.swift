internal import SwitchyardCrypto
internal import SwitchyardJOSE
internal import SwitchyardJSON
public import SwitchyardOAuth
internal import SwitchyardText

extension Redeemer {
    /// The claims of the ID token, verified; nil if it is absent and was not requested.
    func verifiedClaims(
        of response: TokenResponse, _ expected: TokenExpectations, code: Secret?, secret: Secret?,
        _ metadata: IssuerMetadata
    ) async throws(SignInFailure) -> JSONObject? {
        guard let compact = response.idToken else {
            guard expected.requiresIDToken else { return nil }
            throw Self.invalid("the token response has no id_token, though openid was asked for", .idTokenMissing)
        }
        let token: UnverifiedJWT
        do throws(JWTError) {
            token = try expected.decryption.parse(compact, .idToken)
        } catch {
            let reason = IDTokenError.Reason.unreadable(error)
            throw Self.invalid("\(IDTokenError(reason))", reason.obstacle)
        }
        let deviations = expected.issuer.settings.profile.deviations
        let verification: Result<VerifiedJWT, SignatureError>
        do throws(IssuerUnavailableError) {
            verification = try await verifySignature(
                of: token, expected.issuer, metadata, deviations.idTokenAlgorithms, secret: secret)
        } catch {
            throw SignInFailure(error)
        }
        let verified: VerifiedJWT
        do throws(SignatureError) {
            verified = try verification.get()
        } catch {
            throw Self.invalid("the ID token: \(error)", error.obstacle)
        }
        var expectations = IDTokenExpectations(
            issuer: metadata.expectedIssuer(tenants: expected.tenants), clientID: expected.clientID,
            nonce: deviations.omitsNonce ? nil : expected.nonce, now: time.wall().seconds,
            clockSkew: expected.issuer.settings.clockSkew,
            accessToken: response.accessToken, code: code)
        (expectations.stepUp, expectations.arrival) = (expected.stepUp, expected.arrival)
        do throws(IDTokenError) {
            return try expectations.claims(of: verified)
        } catch {
            var failure = Self.invalid("\(error)", error.reason.obstacle)
            if error.reason.isAboutStepUp { failure.internalCode = .stepUpNotMet }
            throw failure
        }
    }

    private static func invalid(_ description: IssuerText, _ obstacle: SignInObstacle.Name) -> SignInFailure {
        var failure = SignInFailure(.invalidIDToken, description: description)
        failure.obstacle = .named(obstacle)
        return failure
    }
}

extension SignatureError {
    fileprivate var obstacle: SignInObstacle.Name {
        switch self {
        case .algorithmNotAllowed: .idTokenAlgorithm
        case .noKey: .idTokenNoKey
        case .wrongSignature: .idTokenWrongSignature
        }
    }
}

/// The reason why an authorization response was not believed. For operators; no value of the response is in it.
public enum ResponseCheckError: Error, Sendable {
    case rejected(AuthorizationResponseError)
    case unavailable(IssuerUnavailableError)
}

extension Redeemer {
    /// Checks that the issuer of a request is the one that answers: by `iss` (RFC 9207), and for a JWT-secured response
    /// (JARM section 2.4) by its claims and its signature, with the rules and keys for ID tokens. Only from a task of
    /// the redeemer's loop.
    public func check(
        _ response: MatchedResponse, from issuer: Issuer, to clientID: String, tenants: TenantRule
    ) async throws(ResponseCheckError) -> CheckedResponse {
        let checked: Result<CheckedResponse, AuthorizationResponseError>
        do throws(IssuerUnavailableError) {
            let metadata = try await self.metadata(for: issuer)
            checked = try await check(response, from: issuer, metadata, to: clientID, tenants)
        } catch {
            throw .unavailable(error)
        }
        do throws(AuthorizationResponseError) {
            return try checked.get()
        } catch {
            throw .rejected(error)
        }
    }

    private func check(
        _ response: MatchedResponse, from issuer: Issuer, _ metadata: IssuerMetadata, to clientID: String,
        _ tenants: TenantRule
    ) async throws(IssuerUnavailableError) -> Result<CheckedResponse, AuthorizationResponseError> {
        let identification = metadata.identification(tenants: tenants)
        guard let signed = response.signed else {
            return Result { () throws(AuthorizationResponseError) in try response.checked(by: identification) }
        }
        let (now, clockSkew) = (time.wall().seconds, issuer.settings.clockSkew)
        do throws(AuthorizationResponseError) {
            // The claims first: they cost less than the signature.
            try signed.checkClaims(from: identification.expected, to: clientID, now: now, clockSkew: clockSkew)
        } catch {
            return .failure(error)
        }
        switch try await verifySignature(of: signed.token, issuer, metadata) {
        case .failure(let error): return .failure(.signature(error))
        case .success(let signature):
            return Result { () throws(AuthorizationResponseError) in
                try response.checked(
                    by: identification, to: clientID, now: now, clockSkew: clockSkew, signature: signature)
            }
        }
    }
}

extension Redeemer {
    /// The token, found to be signed by the issuer, or why it is not.
    ///
    /// A signature that no known key has made may be a newer key's, also under a key ID that is known: then the keys
    /// are fetched again, as rarely as ``CachedDocument`` lets tokens do that.
    /// - Parameters:
    ///   - allowed: the algorithms that count; nil for all with a public key.
    ///   - secret: the client's, for HS256.
    func verifySignature(
        of token: UnverifiedJWT, _ issuer: Issuer, _ metadata: IssuerMetadata, _ allowed: [IDTokenAlgorithm]? = nil,
        secret: Secret? = nil
    ) async throws(IssuerUnavailableError) -> Result<VerifiedJWT, SignatureError> {
        guard let algorithm = IDTokenAlgorithm(name: token.algorithm),
            allowed?.contains(algorithm) ?? (algorithm != .hs256)
        else { return .failure(.algorithmNotAllowed) }
        // A published key never serves as a secret, and the secret never as a public key.
        if algorithm == .hs256 { return secret.map { SecretSignature.verify(token, by: $0) } ?? .failure(.noKey) }
        let known = try await keys(of: issuer, metadata)
        let result = known.value.verify(token)
        guard case .failure(let problem) = result else { return result }
        do throws(IssuerUnavailableError) {
            let newer = try await keys(of: issuer, metadata, replacing: known.version)
            return newer.version == known.version ? result : newer.value.verify(token)
        } catch {
            // The present keys have decided: a fitting key says no.
            if problem == .wrongSignature { return result }
            throw error
        }
    }
}
