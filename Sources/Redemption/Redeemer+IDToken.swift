internal import JOSE
internal import JSON
internal import OAuth

extension Redeemer {
    /// The claims of the ID token, verified; nil when there is none and none was asked for.
    func verifiedClaims(
        of response: TokenResponse, _ request: RedemptionRequest, _ metadata: IssuerMetadata
    ) async throws(SignInFailure) -> JSONObject? {
        guard let compact = response.idToken else {
            guard request.requestedScopes.contains("openid") else { return nil }
            throw Self.invalid("the token response has no id_token, though openid was asked for")
        }
        let token: UnverifiedIDToken
        do throws(IDTokenError) {
            token = try UnverifiedIDToken.parse(compact)
        } catch {
            throw Self.invalid(error.description)
        }
        try await checkSignature(of: token, request.issuer, metadata)
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

    private func checkSignature(
        of token: UnverifiedIDToken, _ issuer: Issuer, _ metadata: IssuerMetadata
    ) async throws(SignInFailure) {
        guard let algorithm = SigningAlgorithm(rawValue: token.algorithm) else {
            throw Self.invalid(SignatureError.algorithmNotAllowed.description)
        }
        var problem: SignatureError?
        do throws(IssuerUnavailable) {
            let known = try await keys(of: issuer, metadata)
            problem = check(token, algorithm, issuer, known)
            // A known key that bears the token's key ID was the right one; any other may have come since.
            if problem != nil, !known.value.hasKey(token.keyID) {
                let newer = try await keys(of: issuer, metadata, replacing: known.version)
                if newer.version != known.version { problem = check(token, algorithm, issuer, newer) }
            }
        } catch {
            throw SignInFailure(error)
        }
        if let problem { throw Self.invalid(problem.description) }
    }

    /// nil when one of the keys that may have made the signature has made it.
    private func check(
        _ token: UnverifiedIDToken, _ algorithm: SigningAlgorithm, _ issuer: Issuer,
        _ known: CachedDocument<KeySet>.Snapshot
    ) -> SignatureError? {
        let imported = importedKeys(of: issuer, known)
        let candidates = known.value.candidates(keyID: token.keyID, algorithm).compactMap { imported[$0] }
        if candidates.isEmpty { return .noKey }
        return candidates.contains { $0.verifies(token.compact) } ? nil : .wrongSignature
    }

    private func importedKeys(of issuer: Issuer, _ known: CachedDocument<KeySet>.Snapshot) -> [JOSEKey?] {
        let name = issuer.settings.name
        if let imported = importedKeys[name], imported.issuer === issuer, imported.version == known.version {
            return imported.keys
        }
        let keys = known.value.keys.map { JOSEKey(jwk: $0.jwk) }
        importedKeys[name] = ImportedKeys(issuer: issuer, version: known.version, keys: keys)
        return keys
    }

    private static func invalid(_ description: String) -> SignInFailure {
        SignInFailure(.invalidIDToken, description: description)
    }
}
