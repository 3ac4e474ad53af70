public import OAuth

extension Redeemer {
    /// The authorization response in a JWT (JARM section 2.4), once its claims and its signature are known to be right.
    /// Which request it answers, the caller has seen by its state. Only from a task of the redeemer's loop.
    /// - Parameter tenants: whose users are let in, where the issuer is a template.
    public func verifiedResponse(
        _ unverified: UnverifiedJWTResponse, issuer: Issuer, clientID: String, tenants: [String] = []
    ) async throws(JWTResponseFailure) -> AuthorizationResponse {
        let metadata: IssuerMetadata
        do throws(IssuerUnavailable) {
            metadata = try await self.metadata(for: issuer)
        } catch {
            throw .issuerUnavailable(error)
        }
        // Before the signature: that costs more, and may cost a fetch.
        let response = try Self.response(
            in: unverified,
            JWTResponseExpectations(
                issuer: metadata.expectedIssuer(tenants: tenants), clientID: clientID, now: time.wallSeconds(),
                clockSkew: issuer.settings.clockSkew))
        let problem: SignatureError?
        do throws(IssuerUnavailable) {
            problem = try await signatureProblem(of: unverified.jws, issuer, metadata)
        } catch {
            throw .issuerUnavailable(error)
        }
        if let problem { throw .notTrusted(reason: problem.rawValue) }
        return response
    }

    private static func response(
        in unverified: UnverifiedJWTResponse, _ expectations: JWTResponseExpectations
    ) throws(JWTResponseFailure) -> AuthorizationResponse {
        do throws(JWTResponseClaimError) {
            return try expectations.validate(unverified)
        } catch {
            throw .notTrusted(reason: error.rawValue)
        }
    }
}
