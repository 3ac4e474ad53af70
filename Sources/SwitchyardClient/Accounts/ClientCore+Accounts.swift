package import SwitchyardOAuth
internal import SwitchyardRedemption
internal import SwitchyardText

/// Refresh tokens that are in no cache any more.
package struct RemovedTokens: Sendable {
    let tokens: [CachedRefreshToken]

    package static func + (left: RemovedTokens, right: RemovedTokens) -> RemovedTokens {
        RemovedTokens(tokens: left.tokens + right.tokens)
    }
}

/// The result of a revocation at the issuer.
package enum TokenRevocation: Sendable {
    case revoked
    /// There was no token to revoke.
    case nothing
    /// The issuer revokes no such tokens: they end by themselves.
    case notOffered
    case failed(SignInFailure)
}

extension ClientCore {
    func accounts() async throws(AuthenticationError) -> [Account] {
        try await cache.document().accounts.filter { account in
            !account.signedOutOf.contains(settings.clientID) && settings.authority.covers(account.key.environment)
        }.map { Account($0, self) }
    }

    func account(for identifier: String) async throws(AuthenticationError) -> Account? {
        guard identifier.contains(where: { !$0.isWhitespace }) else {
            throw AuthenticationError(.invalidParameter, .invalidParameter, "the account's identifier is blank")
        }
        let all = try await accounts()
        let identified = all.first { account in
            account.key == AccountKey(homeAccountID: identifier, environment: account.environment)
        }
        if let identified { return identified }
        let named = all.filter { $0.username?.asciiLowercased == identifier.asciiLowercased }
        guard named.count < 2 else {
            throw AuthenticationError(
                .invalidParameter, .ambiguousAccount, "\(named.count) accounts have this user name")
        }
        return named.first
    }

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
        let issuer = issuers.issuer(for: settings.authority)
        do throws(SignInFailure) {
            let metadata: IssuerMetadata
            do throws(IssuerUnavailable) {
                metadata = try await runtime.redeemer.metadata(for: issuer)
            } catch {
                throw SignInFailure(.network, description: IssuerText(error.description))
            }
            let origin = settings.profile.refreshOrigin(metadata)
            guard let endpoint = metadata.revocationEndpoint else { return .notOffered }
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
                try await runtime.redeemer.revoke(
                    RevocationRequest(
                        token.secret, of: settings.clientID, at: issuer,
                        authentication: settings.configuration.clientAuthentication, tokenTypeHint: "refresh_token"),
                    at: endpoint)
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
