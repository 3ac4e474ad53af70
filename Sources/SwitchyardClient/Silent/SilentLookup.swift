internal import SwitchyardCrypto
internal import SwitchyardOAuth

/// The cache's answer to a silent request, without I/O and without a clock of its own.
struct SilentLookup: Sendable {
    let request: SilentRequest
    let clientID: String
    /// In seconds: a token that ends sooner counts as expired.
    let buffer: Int64
    /// Whether the app takes expired tokens while the issuer is down.
    let allowsExtended: Bool
    /// Whether an access token is a whole answer only beside an ID token.
    var needsIDToken = true
    /// Whether only tokens that are bound to a key count. Others may be in the cache from before that was configured.
    let bindsTokens: Bool

    init(_ request: SilentRequest, _ settings: ClientSettings) {
        self.request = request
        clientID = settings.clientID
        buffer = settings.configuration.tokenExpirationBuffer.components.seconds
        allowsExtended = settings.configuration.isExtendedLifetimeEnabled
        needsIDToken = !settings.profile.deviations.hasNoIDTokens
        bindsTokens = settings.configuration.bindsTokens
    }

    /// The cached data for a request that the cache cannot answer.
    struct Remainder: Sendable {
        /// The token that is no answer: a newer one is.
        var outdated: Secret?
        /// Serves on if asking fails for now; the issuer only wished for an early refresh.
        var stillValid: CachedAccessToken?
        /// A token that has expired, and stays in use if the issuer is down.
        var extended: CachedAccessToken?
        /// A useless token, to be removed.
        var expired: CachedAccessToken?
    }

    enum Finding: Sendable {
        /// A token that is good as it is.
        case token(CachedAccessToken, CachedAccount)
        /// New tokens are needed.
        case refresh(CachedAccount, Remainder)
    }

    /// Whether other callers have refreshed tokens of the account while this one waited. They may have got the wanted
    /// token.
    enum Wait: Sendable {
        case notYet
        /// - Parameter outdated: the token that was no answer before the wait; nil without one.
        case since(outdated: Secret?)
    }

    /// - Throws: `interactionRequired` when the account is not there, not of this app, or not of this cloud.
    func finding(
        in document: TokenCacheDocument, at now: UnixTime, after wait: Wait = .notYet
    ) throws(AuthenticationError) -> Finding {
        let account = try knownAccount(in: document)
        let found = document.accessToken(
            for: account.key, at: request.tenant, clientID: clientID, scopes: request.scopes)
        guard let token = found, counts(token.bindingKey) else { return .refresh(account, Remainder()) }
        let freshness = token.freshness(at: now, buffer: buffer)
        if case .since(let outdated) = wait, !request.asksForClaims, token.secret != outdated, freshness != .expired {
            return .token(token, account)
        }
        var remainder = Remainder(outdated: token.secret)
        if request.passesOverCache { return .refresh(account, remainder) }
        // An access token without the ID token that came with it is no whole answer.
        guard freshness != .expired, !needsIDToken || account.idToken != nil else {
            if allowsExtended, token.isExtended(at: now) {
                remainder.extended = token
            } else if token.expiresOn < now {
                remainder.expired = token
            }
            return .refresh(account, remainder)
        }
        if freshness == .good { return .token(token, account) }
        remainder.stillValid = token
        return .refresh(account, remainder)
    }

    private func knownAccount(in document: TokenCacheDocument) throws(AuthenticationError) -> CachedAccount {
        guard let account = document.account(request.account.key) else {
            throw AuthenticationError(.interactionRequired, .noTokens, "the account is not in the cache")
        }
        guard !account.signedOutOf.contains(clientID) else {
            throw AuthenticationError(.interactionRequired, .signedOut, "the account was signed out of this app")
        }
        guard request.authority.aliases.contains(account.key.environment) else {
            throw AuthenticationError(
                .interactionRequired, .differentCloud,
                "the account is of \(account.key.environment), and the authority is \(request.authority.url)")
        }
        return account
    }

    /// The tokens that may be exchanged for new ones: the app's own refresh token, then the family's.
    func refreshTokens(in document: TokenCacheDocument, of account: AccountKey) -> [CachedRefreshToken] {
        let own = document.refreshToken(for: account, clientID: clientID)
        let family = document.familyRefreshToken(for: account, clientID: clientID)
        let all = [own, family?.secret == own?.secret ? nil : family].compactMap(\.self)
        return all.filter { counts($0.bindingKey) }
    }

    private func counts(_ bindingKey: Secret?) -> Bool { !bindsTokens || bindingKey != nil }
}
