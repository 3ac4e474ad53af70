internal import SwitchyardJOSE
internal import SwitchyardOAuth

extension Redeemer {
    /// The token, found to be signed by the issuer, or why it is not.
    func verifySignature(
        of token: UnverifiedJWT, _ issuer: Issuer, _ metadata: IssuerMetadata
    ) async throws(IssuerUnavailable) -> Result<VerifiedJWT, SignatureError> {
        guard let algorithm = SigningAlgorithm(rawValue: token.algorithm) else { return .failure(.algorithmNotAllowed) }
        let known = try await keys(of: issuer, metadata)
        let result = check(token, algorithm, issuer, known)
        // A known key that bears the token's key ID was the right one; any other may have come since.
        guard case .failure = result, !known.value.hasKey(token.keyID) else { return result }
        let newer = try await keys(of: issuer, metadata, replacing: known.version)
        return newer.version == known.version ? result : check(token, algorithm, issuer, newer)
    }

    /// Whether one of the keys that may have made the signature has made it.
    private func check(
        _ token: UnverifiedJWT, _ algorithm: SigningAlgorithm, _ issuer: Issuer,
        _ known: CachedDocument<KeySet>.Snapshot
    ) -> Result<VerifiedJWT, SignatureError> {
        let imported = importedKeys(of: issuer, known)
        let candidates = known.value.candidates(keyID: token.keyID, algorithm).compactMap { imported[$0] }
        if candidates.isEmpty { return .failure(.noKey) }
        for key in candidates {
            if let verified = key.verify(token) { return .success(verified) }
        }
        return .failure(.wrongSignature)
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
}
