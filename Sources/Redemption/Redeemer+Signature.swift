internal import JOSE
internal import OAuth

extension Redeemer {
    /// Looks for a key of the issuer that has made a signature; fetches newer keys where that may help.
    /// - Returns: nil when the signature is right.
    func signatureProblem(
        of jws: UnverifiedJWS, _ issuer: Issuer, _ metadata: IssuerMetadata
    ) async throws(IssuerUnavailable) -> SignatureError? {
        guard let algorithm = SigningAlgorithm(rawValue: jws.algorithm) else { return .algorithmNotAllowed }
        let known = try await keys(of: issuer, metadata)
        let problem = check(jws, algorithm, issuer, known)
        // A known key that bears the signature's key ID was the right one; any other may have come since.
        guard problem != nil, !known.value.hasKey(jws.keyID) else { return problem }
        let newer = try await keys(of: issuer, metadata, replacing: known.version)
        return newer.version == known.version ? problem : check(jws, algorithm, issuer, newer)
    }

    /// nil when one of the keys that may have made the signature has made it.
    private func check(
        _ jws: UnverifiedJWS, _ algorithm: SigningAlgorithm, _ issuer: Issuer,
        _ known: CachedDocument<KeySet>.Snapshot
    ) -> SignatureError? {
        let imported = importedKeys(of: issuer, known)
        let candidates = known.value.candidates(keyID: jws.keyID, algorithm).compactMap { imported[$0] }
        if candidates.isEmpty { return .noKey }
        return candidates.contains { $0.verifies(jws.compact) } ? nil : .wrongSignature
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
