internal import SwitchyardClient
internal import SwitchyardConfiguration
internal import SwitchyardOAuth
internal import SwitchyardRouting

/// The identity of a token cache: apps with equal keys read and write the same tokens.
///
/// The key is derived from the authority, as the cache's own look-ups are, and not from the issuer's text. One issuer
/// has several spellings that lead to one cache: `/tfp` and `/TFP`, two policies of one B2C tenant, a CIAM tenant by
/// name and by GUID.
struct TokenCacheKey: Hashable {
    let realm: String
    let clientID: String

    init(_ issuer: IssuerConfiguration, clientID: String, allowsLoopbackHTTP: Bool) {
        // An issuer that is no authority has no tokens. Its text still tells its apps from others.
        realm = (try? issuer.authority(allowsLoopbackHTTP: allowsLoopbackHTTP).cacheRealm) ?? issuer.issuer
        self.clientID = clientID
    }
}

/// The `use_from` lists of a configuration, by the token cache that they guard.
///
/// All lists of one cache count together: a program must be in each of them. An app without a list, of any handler,
/// widens no other list. The order of files is irrelevant. Lists of left-out files count as
/// well; a list whose issuer is unknown counts for its client ID at every issuer.
struct UseFromLists {
    private let byCache: [TokenCacheKey: [UseFrom]]
    private let byClient: [String: [UseFrom]]

    init(_ configuration: Configuration) {
        var lists: [TokenCacheKey: [UseFrom]] = [:]
        func add(_ list: UseFrom, _ issuer: IssuerConfiguration, _ clientID: String) {
            let key = TokenCacheKey(issuer, clientID: clientID, allowsLoopbackHTTP: configuration.allowsLoopbackHTTP)
            if lists[key]?.contains(list) != true { lists[key, default: []].append(list) }
        }
        for app in configuration.apps {
            guard let list = app.useFrom, let issuer = configuration.issuer(of: app) else { continue }
            add(list, issuer, app.clientID)
        }
        var unresolved: [String: [UseFrom]] = [:]
        for list in configuration.fileLists {
            if let issuer = list.issuer {
                add(list.useFrom, issuer, list.clientID)
            } else {
                unresolved[list.clientID, default: []].append(list.useFrom)
            }
        }
        byCache = lists
        byClient = unresolved
    }

    subscript(key: TokenCacheKey) -> [UseFrom] { (byCache[key] ?? []) + (byClient[key.clientID] ?? []) }
}

extension IssuerConfiguration {
    /// How the client library calls the issuer.
    func authority(allowsLoopbackHTTP: Bool) throws(AuthorityError) -> Authority {
        switch source {
        case .discovery(let url) where url.isSecure: try Authority(url.text)
        case .discovery, .configured: try .oidc(issuer: issuer, allowingLoopbackHTTP: allowsLoopbackHTTP)
        }
    }
}
