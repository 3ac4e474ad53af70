internal import SwitchyardOAuth

/// ``SilentTokenParameters`` that have been found to make sense.
struct SilentRequest: Sendable {
    let account: Account
    let scopes: Scopes
    let authority: Authority
    /// The claims of the app and of its capabilities together.
    let claims: ClaimsRequest?
    /// Whether cached tokens do not count: because the app wants a new one, or because claims ask for a token that has
    /// them. Capabilities of the app are no such claims.
    let passesOverCache: Bool
    /// Whether the app wants a new token.
    let forcesRefresh: Bool
    /// Whether the app asks for claims of its own.
    let asksForClaims: Bool
    let correlationID: CorrelationID

    /// - Throws: `interactionRequired` / `accountRequired` without an account, `invalidParameter` for the rest.
    init(_ parameters: SilentTokenParameters, _ settings: ClientSettings) throws(AuthenticationError) {
        guard let account = parameters.account else {
            throw AuthenticationError(
                .interactionRequired, .accountRequired,
                "a silent request needs an account; without one, use acquireToken(with:)")
        }
        let asked = parameters.authority ?? settings.authority
        scopes = try ScopeRules.checked(
            parameters.scopes, settings, asked, mayBeEmpty: parameters.mayBeWithoutScopes)
        self.account = account
        authority = asked.resolved(for: account)
        correlationID = try CorrelationID.checked(parameters.correlationID)
        claims = settings.claims(parameters.claims)
        asksForClaims = !(parameters.claims ?? ClaimsRequest()).isEmpty
        forcesRefresh = parameters.forceRefresh
        passesOverCache = parameters.forceRefresh || asksForClaims
    }

    var tenant: TokenTenant { authority.tokenTenant }

    /// The parameters that the token request adds.
    var tokenParameters: [FormField] {
        var fields: [FormField] = []
        if authority.requiresClientInfo { fields.append(FormField("client_info", "1")) }
        if let claims { fields.append(FormField("claims", claims.json)) }
        return fields
    }
}

extension Authority {
    /// The authority for an account's tokens: its home tenant, if this authority is for people of many.
    fileprivate func resolved(for account: Account) -> Authority {
        let parts = account.identifier.split(separator: ".", maxSplits: 1)
        guard isMultiTenant, parts.count == 2 else { return self }
        return forHomeTenant(String(parts[1]))
    }
}
