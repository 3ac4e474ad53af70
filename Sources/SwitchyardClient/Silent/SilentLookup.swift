internal import SwitchyardOAuth

/// What the cache has for a silent request.
enum SilentLookup {
    /// A token that is good as it is.
    case token(CachedAccessToken)
    /// New tokens have to be asked for.
    /// - Parameters:
    ///   - stillValid: serves on if asking fails for now; the issuer only wished for an early refresh.
    ///   - extended: has expired, and serves on if the issuer is down.
    ///   - expired: has no use any more and is taken out.
    case refresh(stillValid: CachedAccessToken?, extended: CachedAccessToken?, expired: CachedAccessToken?)

    init(
        _ request: SilentRequest, in document: TokenCacheDocument, _ account: CachedAccount, clientID: String,
        buffer: Int64, allowsExtended: Bool, now: Timestamp
    ) {
        let found = document.accessToken(
            for: account.key, at: request.tenant, clientID: clientID, scopes: request.scopes)
        guard !request.passesOverCache, let token = found else {
            self = .refresh(stillValid: nil, extended: nil, expired: nil)
            return
        }
        // An access token without the ID token that came with it is no whole answer.
        guard token.isValid(at: now, buffer: buffer), account.idToken != nil else {
            let mayExtend = allowsExtended && (token.extendedExpiresOn.map { $0 > now } ?? false)
            self = .refresh(
                stillValid: nil, extended: mayExtend ? token : nil,
                expired: token.expiresOn < now && !mayExtend ? token : nil)
            return
        }
        guard let refreshOn = token.refreshOn, refreshOn <= now else {
            self = .token(token)
            return
        }
        self = .refresh(stillValid: token, extended: nil, expired: nil)
    }
}
