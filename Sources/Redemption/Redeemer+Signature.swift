internal import SwitchyardJOSE
internal import SwitchyardOAuth

extension Redeemer {
    /// The token, found to be signed by the issuer, or why it is not.
    ///
    /// A signature that no known key has made may be a newer key's, also under a key ID that is known: then the keys are
    /// fetched again, as rarely as ``CachedDocument`` lets tokens do that.
    func verifySignature(
        of token: UnverifiedJWT, _ issuer: Issuer, _ metadata: IssuerMetadata
    ) async throws(IssuerUnavailable) -> Result<VerifiedJWT, SignatureError> {
        guard SigningAlgorithm(rawValue: token.algorithm) != nil else { return .failure(.algorithmNotAllowed) }
        let known = try await keys(of: issuer, metadata)
        let result = verifier(of: issuer, known).verify(token)
        guard case .failure(let problem) = result else { return result }
        do throws(IssuerUnavailable) {
            let newer = try await keys(of: issuer, metadata, replacing: known.version)
            return newer.version == known.version ? result : verifier(of: issuer, newer).verify(token)
        } catch {
            // The keys that are here have their verdict. Without one that fits there is none.
            if problem == .wrongSignature { return result }
            throw error
        }
    }

    private func verifier(of issuer: Issuer, _ known: CachedDocument<KeySet>.Snapshot) -> SignatureVerifier {
        let name = issuer.settings.name
        if let made = verifiers[name], made.issuer === issuer, made.version == known.version { return made.verifier }
        let verifier = SignatureVerifier(known.value)
        verifiers[name] = (issuer, known.version, verifier)
        return verifier
    }
}
