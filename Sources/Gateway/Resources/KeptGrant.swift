public import SwitchyardCrypto
internal import SwitchyardJOSE
internal import SwitchyardJSON
public import SwitchyardOAuth
internal import SwitchyardRedemption
internal import SwitchyardText

/// The tokens of one sign-in to a resource, as an agent keeps them.
public struct KeptGrant: Sendable {
    /// Two sign-ins with the same key are one, and the later one replaces the earlier.
    public struct Key: Hashable, Sendable {
        public let issuer: String
        public let clientID: String
        public let resource: String
        /// The identifier of the account.
        public let account: String
    }

    public var grant: ResourceGrant
    /// The URLs for which discovery has led to this resource and this issuer.
    public var askedURLs: Set<String>
    public let account: AgentAccount
    public var accessToken: Secret
    public var tokenType: String
    /// Seconds since 1970.
    public var obtainedOn: Int64
    public var expiresOn: Int64
    public var scopes: Scopes
    /// The scopes that the sign-in asked for. Some of them may not have been granted.
    public var requested: Scopes
    public var refreshToken: Secret?
    /// The private key that the tokens are bound to, as a JWK; nil for bearer tokens.
    public let bindingKey: Secret?

    public init(
        grant: ResourceGrant, askedURLs: Set<String>, account: AgentAccount, accessToken: Secret, tokenType: String,
        obtainedOn: Int64, expiresOn: Int64, scopes: Scopes, requested: Scopes, refreshToken: Secret?,
        bindingKey: Secret?
    ) {
        self.grant = grant
        self.askedURLs = askedURLs
        self.account = account
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.obtainedOn = obtainedOn
        self.expiresOn = expiresOn
        self.scopes = scopes
        self.requested = requested
        self.refreshToken = refreshToken
        self.bindingKey = bindingKey
    }

    public var key: Key {
        Key(issuer: grant.metadata.issuer, clientID: grant.clientID, resource: grant.resource, account: account.id)
    }

    /// Whether the access token can still be given out. One that ends soon counts as over: within five minutes, or a
    /// fifth of its life if that is shorter.
    public func isFresh(at now: Int64) -> Bool {
        let buffer = min(300, max(0, expiresOn - obtainedOn) / 5)
        // A token from the future came before the clock was set back, so its remaining life is unknown.
        return obtainedOn <= now && now + buffer < expiresOn
    }
}

extension KeptGrant {
    /// The header fields of one call to the resource; nil if the key of a bound token cannot be used.
    /// - Parameter url: its query does not count.
    func proof(method: String, url: String, nonce: String?) -> AgentProof? {
        guard let bindingKey else { return AgentProof(proof: nil, authorization: authorization("Bearer")) }
        let proof = PrivateKey(exported: bindingKey)?.makeProof(
            method: method, url: String(url.prefix { $0 != "?" }), now: WallTime.now().seconds,
            token: accessToken.exposedText, nonce: nonce)
        return proof.map { AgentProof(proof: Secret($0), authorization: authorization("DPoP")) }
    }

    /// How a request to the issuer proves the key; nil for bearer tokens.
    var binding: TokenBinding? {
        get throws(SignInFailure) {
            guard let bindingKey else { return nil }
            guard let key = PrivateKey(exported: bindingKey) else {
                throw SignInFailure(.interactionRequired, description: "the key of the tokens cannot be read")
            }
            return .key(key)
        }
    }

    private func authorization(_ scheme: String) -> Secret { Secret("\(scheme) \(accessToken.exposedText)") }
}

extension KeptGrant {
    /// The account of an issuer without ID tokens: one for each resource.
    public static let unnamedAccount = "default"
    /// The lifetimes, in seconds, of a token without an expiry: with a refresh token, and without one.
    private static let standardLifetime: (Int64, endless: Int64) = (3600, endless: 365 * 24 * 3600)

    /// - Parameter requested: by the sign-in.
    init(_ tokens: RedeemedTokens, _ grant: ResourceGrant, requested: Scopes) {
        let claims = tokens.idTokenClaims
        let account = AgentAccount(
            id: claims?["sub"]?.string ?? Self.unnamedAccount,
            username: claims?["preferred_username"]?.string ?? claims?["email"]?.string,
            name: claims?["name"]?.string,
            environment: (try? EndpointURL(grant.metadata.issuer, allowingLoopbackHTTP: true))?.host
                ?? grant.metadata.issuer,
            tenantID: nil)
        let now = WallTime.now().seconds
        self.init(
            grant: grant, askedURLs: [grant.asked], account: account, accessToken: tokens.response.accessToken,
            tokenType: "Bearer", obtainedOn: now, expiresOn: now, scopes: tokens.grantedScopes,
            requested: requested, refreshToken: nil, bindingKey: tokens.bindingKey)
        take(tokens, at: now)
    }

    /// Takes the answer to a refresh. A refresh token stays if the answer has none (RFC 6749 section 6).
    mutating func take(_ tokens: RedeemedTokens, at now: Int64) {
        let response = tokens.response
        accessToken = response.accessToken
        tokenType = response.tokenType ?? "Bearer"
        refreshToken = response.refreshToken ?? refreshToken
        obtainedOn = now
        let lifetime = refreshToken == nil ? Self.standardLifetime.endless : Self.standardLifetime.0
        expiresOn = now + (response.expiresIn.map { Int64(min($0, 1 << 31)) } ?? lifetime)
        if response.scope != nil { scopes = tokens.grantedScopes }
    }
}
