internal import SwitchyardJOSE
public import SwitchyardOAuth

/// Why an authorization response was not taken. For operators; no value of the response is in it.
public enum ResponseRefusal: Error, Sendable {
    /// `iss` is missing or wrong.
    case wrongIssuer
    /// It is not what its issuer would have signed for this client.
    case notTrusted(reason: String)
    case unavailable(IssuerUnavailable)
}

extension Redeemer {
    /// Decides whether the issuer of a request is the one that answers: by `iss` (RFC 9207), and for a JWT-secured response
    /// (JARM section 2.4) by its claims and its signature, with the rules and keys that ID tokens have. Only from a task of
    /// the redeemer's loop.
    /// - Throws: ``ResponseRefusal``.
    public func check(
        _ response: MatchedResponse, from issuer: Issuer, to clientID: String, tenants: TenantRule
    ) async throws(ResponseRefusal) -> CheckedResponse {
        let metadata: IssuerMetadata
        do throws(IssuerUnavailable) {
            metadata = try await self.metadata(for: issuer)
        } catch {
            throw .unavailable(error)
        }
        let identification = metadata.identification(tenants: tenants)
        guard let signed = response.signed else {
            do throws(ResponseCheckError) {
                return try response.checked(by: identification)
            } catch {
                throw ResponseRefusal(error)
            }
        }
        let (now, clockSkew) = (time.wallSeconds(), issuer.settings.clockSkew)
        do throws(SignedResponseError) {
            // The claims first: they cost less than the signature.
            try signed.checkClaims(from: identification.expected, to: clientID, now: now, clockSkew: clockSkew)
        } catch {
            throw ResponseRefusal(.claims(error))
        }
        let signature = try await signature(of: signed, issuer, metadata)
        do throws(ResponseCheckError) {
            return try response.checked(
                by: identification, to: clientID, now: now, clockSkew: clockSkew, signature: signature)
        } catch {
            throw ResponseRefusal(error)
        }
    }

    private func signature(
        of signed: SignedResponse, _ issuer: Issuer, _ metadata: IssuerMetadata
    ) async throws(ResponseRefusal) -> VerifiedJWT {
        let verification: Result<VerifiedJWT, SignatureError>
        do throws(IssuerUnavailable) {
            verification = try await verifySignature(of: signed.token, issuer, metadata)
        } catch {
            throw .unavailable(error)
        }
        switch verification {
        case .success(let verified): return verified
        case .failure(let problem): throw .notTrusted(reason: "the signed response: \(problem)")
        }
    }
}

extension ResponseRefusal {
    fileprivate init(_ error: ResponseCheckError) {
        switch error {
        case .issuer, .claims(.wrongIssuer): self = .wrongIssuer
        case .notSigned, .claims: self = .notTrusted(reason: error.description)
        }
    }
}
