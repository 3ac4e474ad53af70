internal import SwitchyardCrypto
package import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardReactor

extension TokenCacheDocument {
    /// The version of the format. A newer library wrote a document with a higher one, and it stays as it is.
    private static let version: Int64 = 1

    enum ReadingError: Error {
        case unreadable
        case newerVersion
    }

    init(serialized: [UInt8]) throws(ReadingError) {
        guard let object = (try? JSONValue.parse(serialized))?.object, let version = object["version"]?.integer else {
            throw .unreadable
        }
        guard version == Self.version else { throw version > Self.version ? .newerVersion : .unreadable }
        func list<Element>(_ name: String, _ read: (JSONObject) -> Element?) throws(ReadingError) -> [Element] {
            guard let values = object[name]?.array else { throw .unreadable }
            let elements = values.compactMap { $0.object.flatMap(read) }
            guard elements.count == values.count else { throw .unreadable }
            return elements
        }
        accounts = try list("accounts", CachedAccount.init(json:))
        accessTokens = try list("access_tokens", CachedAccessToken.init(json:))
        refreshTokens = try list("refresh_tokens", CachedRefreshToken.init(json:))
        for (account, lease) in try list("leases", RefreshLease.entry(json:)) { leases[account] = lease }
        for (clientID, family) in object["families"]?.object?.members ?? [] { families[clientID] = family.string }
    }

    var serialized: [UInt8] {
        var families = JSONObject()
        for (clientID, family) in self.families.sorted(by: { $0.key < $1.key }) { families[clientID] = .string(family) }
        let object: JSONObject = [
            "version": .integer(Self.version),
            "accounts": .array(accounts.map { .object($0.json) }),
            "access_tokens": .array(accessTokens.map { .object($0.json) }),
            "refresh_tokens": .array(refreshTokens.map { .object($0.json) }),
            "leases": .array(
                leases.sorted { $0.key.sortingName < $1.key.sortingName }.map { .object($0.value.json(of: $0.key)) }),
            "families": .object(families),
        ]
        return JSONValue.object(object).serialized
    }
}

extension AccountKey {
    fileprivate init?(json: JSONObject) {
        guard let id = json["home_account_id"]?.string, let environment = json["environment"]?.string else {
            return nil
        }
        self.init(homeAccountID: id, environment: environment)
    }
}

extension AccountKey {
    /// A text for each, so that a dictionary is always written in one order.
    fileprivate var sortingName: String { "\(homeAccountID) \(environment)" }
}

extension UnixTime {
    fileprivate init?(json: JSONValue?) {
        guard let seconds = json?.integer else { return nil }
        self.init(secondsSince1970: seconds)
    }

    fileprivate var json: JSONValue { .integer(secondsSince1970) }
}

extension RefreshLease {
    fileprivate static func entry(json: JSONObject) -> (AccountKey, RefreshLease)? {
        guard let account = AccountKey(json: json), let lease = RefreshLease(json: json) else { return nil }
        return (account, lease)
    }

    fileprivate func json(of account: AccountKey) -> JSONObject {
        var object = json
        object["home_account_id"] = .string(account.homeAccountID)
        object["environment"] = .string(account.environment)
        return object
    }

    /// nil for anything else.
    package init?(json: JSONObject) {
        guard let owner = json["owner"]?.string, let until = UnixTime(json: json["until"]) else { return nil }
        let awakeUntil = json["awake_until"]?.integer.flatMap { Int64(exactly: $0) }.map {
            Instant(nanoseconds: 0) + .seconds(max($0, 0))
        }
        self.init(owner: owner, until: until, awakeUntil: awakeUntil)
    }

    package var json: JSONObject {
        var object: JSONObject = ["owner": .string(owner), "until": until.json]
        object["awake_until"] = awakeUntil.map { .integer(Int64($0.nanoseconds / 1_000_000_000)) }
        return object
    }
}

extension CachedAccount {
    fileprivate init?(json: JSONObject) {
        guard let key = AccountKey(json: json), let id = json["home_account_id"]?.string,
            let realm = json["realm"]?.string, let authority = json["authority"]?.string
        else { return nil }
        self.init(
            key: key, homeAccountID: id, username: json["username"]?.string, name: json["name"]?.string, realm: realm,
            claims: IDTokenClaims(json: json["claims"]?.string ?? "{}"),
            idToken: json["id_token"]?.string.map { Secret($0) },
            authority: authority,
            signedOutOf: Set((json["signed_out_of"]?.array ?? []).compactMap(\.string)))
    }

    fileprivate var json: JSONObject {
        var object: JSONObject = [
            "home_account_id": .string(homeAccountID), "environment": .string(key.environment),
            "realm": .string(realm), "authority": .string(authority), "claims": .string(claims.json),
        ]
        object["username"] = username.map { .string($0) }
        object["name"] = name.map { .string($0) }
        object["id_token"] = idToken.map { .string($0.exposedText) }
        if !signedOutOf.isEmpty { object["signed_out_of"] = .array(signedOutOf.sorted().map { .string($0) }) }
        return object
    }
}

extension CachedAccessToken {
    fileprivate init?(json: JSONObject) {
        guard let account = AccountKey(json: json), let realm = json["realm"]?.string,
            let authority = json["authority"]?.string, let clientID = json["client_id"]?.string,
            let target = json["target"]?.string,
            let secret = json["secret"]?.string, let cachedAt = UnixTime(json: json["cached_at"]),
            let expiresOn = UnixTime(json: json["expires_on"])
        else { return nil }
        self.init(
            account: account, realm: realm, authority: authority, clientID: clientID,
            scopes: Scopes(parsing: target), defaults: Scopes(parsing: json["defaults"]?.string ?? ""),
            secret: Secret(secret), cachedAt: cachedAt, expiresOn: expiresOn,
            extendedExpiresOn: UnixTime(json: json["extended_expires_on"]),
            refreshOn: UnixTime(json: json["refresh_on"]), tokenType: json["token_type"]?.string,
            bindingKey: json["key"]?.string.map { Secret($0) })
    }

    fileprivate var json: JSONObject {
        var object: JSONObject = [
            "home_account_id": .string(account.homeAccountID), "environment": .string(account.environment),
            "realm": .string(realm), "authority": .string(authority), "client_id": .string(clientID),
            "target": .string(scopes.text),
            "secret": .string(secret.exposedText), "cached_at": cachedAt.json, "expires_on": expiresOn.json,
        ]
        if !defaults.isEmpty { object["defaults"] = .string(defaults.text) }
        object["extended_expires_on"] = extendedExpiresOn?.json
        object["refresh_on"] = refreshOn?.json
        object["token_type"] = tokenType.map { .string($0) }
        object["key"] = bindingKey.map { .string($0.exposedText) }
        return object
    }
}

extension CachedRefreshToken {
    fileprivate init?(json: JSONObject) {
        guard let account = AccountKey(json: json), let clientID = json["client_id"]?.string,
            let secret = json["secret"]?.string
        else { return nil }
        self.init(
            account: account, clientID: clientID, familyID: json["family_id"]?.string, secret: Secret(secret),
            origin: json["origin"]?.string, bindingKey: json["key"]?.string.map { Secret($0) })
    }

    fileprivate var json: JSONObject {
        var object: JSONObject = [
            "home_account_id": .string(account.homeAccountID), "environment": .string(account.environment),
            "client_id": .string(clientID), "secret": .string(secret.exposedText),
        ]
        object["family_id"] = familyID.map { .string($0) }
        object["origin"] = origin.map { .string($0) }
        object["key"] = bindingKey.map { .string($0.exposedText) }
        return object
    }
}
