internal import SwitchyardJOSE
internal import SwitchyardOAuth
internal import SwitchyardRedemption

/// Refresh tokens that are in no cache any more.
package struct RemovedTokens: Sendable {
    let tokens: [CachedRefreshToken]

    package static func + (left: RemovedTokens, right: RemovedTokens) -> RemovedTokens {
        RemovedTokens(tokens: left.tokens + right.tokens)
    }
}

extension ClientCore {
    func look() async throws(AuthenticationError) -> CacheSnapshot { CacheSnapshot(try await cache.document(), self) }

    func signOut(_ account: Account) async throws(AuthenticationError) {
        let (key, clientID) = (account.key, settings.clientID)
        try await cache.update { $0.signOut(key, of: clientID) }
        log.info("\(person: account.username) was signed out")
    }

    /// - Returns: this client's refresh tokens, which are the caller's now.
    @discardableResult
    func remove(_ account: Account) async throws(AuthenticationError) -> RemovedTokens {
        let (key, clientID) = (account.key, settings.clientID)
        let tokens = try await cache.update { document in
            defer { document.removeEverything(of: key) }
            return document.refreshTokens.filter { $0.account == key && $0.clientID == clientID }
        }
        log.info("\(person: account.username) was removed")
        return RemovedTokens(tokens: tokens)
    }

    /// Revokes refresh tokens at the issuer (RFC 7009). On the network loop.
    func revoke(_ removed: RemovedTokens) async -> TokenRevocation {
        guard !removed.tokens.isEmpty else { return .nothing }
        let issuer = self.issuer(for: settings.authority)
        do throws(SignInFailure) {
            let metadata: IssuerMetadata
            do throws(IssuerUnavailableError) {
                metadata = try await runtime.redeemer.metadata(for: issuer)
            } catch {
                throw SignInFailure(.network, description: IssuerText(error.description))
            }
            let authentication: ClientAuthentication
            do throws(AuthenticationError) {
                authentication = try await self.authentication()
            } catch {
                throw SignInFailure(.internal, description: IssuerText(error.message))
            }
            let origin = settings.profile.refreshEndpoint(metadata, for: authentication).origin
            guard let endpoint = metadata.endpoints(for: authentication).revocation else { return .notOffered }
            for token in removed.tokens {
                guard token.origin == origin else {
                    throw SignInFailure(
                        .invalidResponse,
                        description: "the token is of another token endpoint, or the cache does not say of which")
                }
                guard Self.mayRevoke(at: endpoint, tokensOf: origin, issuer: settings.authority.discovery) else {
                    throw SignInFailure(
                        .invalidResponse,
                        description: "the revocation endpoint is at another origin than the issuer's endpoints")
                }
                var request = RevocationRequest(
                    token.secret, of: settings.clientID, at: issuer, authentication: authentication,
                    tokenTypeHint: "refresh_token")
                request.binding = token.bindingKey.flatMap { PrivateKey(exported: $0) }.map { .key($0) }
                try await runtime.redeemer.revoke(request, at: endpoint)
            }
            return .revoked
        } catch {
            // RFC 7009 section 2.2.1.
            return error.oauthError?.text == "unsupported_token_type" ? .notOffered : .failed(error)
        }
    }

    /// Whether a refresh token may go to a revocation endpoint: one at the origin that issued the token, or at the
    /// issuer's own. Otherwise changed metadata could collect tokens by their revocation.
    static func mayRevoke(at endpoint: EndpointURL, tokensOf origin: String, issuer: EndpointURL) -> Bool {
        [origin, issuer.origin].contains(endpoint.origin)
    }
}
