public import SwitchyardOAuth

/// Why a signed authorization response was not taken. For operators; no value of the response is in it.
public enum SignedResponseRefusal: Error, Sendable {
    /// It is not what its issuer would have signed for this client.
    case notTrusted(reason: String)
    case wrongIssuer
    case unavailable(IssuerUnavailable)
}

extension Redeemer {
    /// Verifies a JWT-secured authorization response (JARM section 2.4) by the rules and keys that ID tokens have. Only
    /// from a task of the redeemer's loop.
    /// - Returns: the response inside.
    public func verify(
        _ signed: SignedResponse, from issuer: Issuer, to clientID: String, tenants: TenantRule
    ) async throws(SignedResponseRefusal) -> AuthorizationResponse {
        let metadata: IssuerMetadata
        let problem: SignatureError?
        let response: AuthorizationResponse
        do throws(IssuerUnavailable) {
            metadata = try await self.metadata(for: issuer)
        } catch {
            throw .unavailable(error)
        }
        do throws(SignedResponseError) {
            // The claims first: they cost less than the signature, and nothing follows from them before it.
            response = try signed.response(
                from: metadata.expectedIssuer(tenants: tenants), to: clientID, now: time.wallSeconds(),
                clockSkew: issuer.settings.clockSkew)
        } catch {
            throw error == .wrongIssuer ? .wrongIssuer : .notTrusted(reason: error.description)
        }
        do throws(IssuerUnavailable) {
            problem = try await signatureProblem(of: signed.token, issuer, metadata)
        } catch {
            throw .unavailable(error)
        }
        if let problem { throw .notTrusted(reason: "the signed response: \(problem)") }
        return response
    }
}
