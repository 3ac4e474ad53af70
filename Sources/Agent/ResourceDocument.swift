internal import SwitchyardCrypto
internal import SwitchyardGateway
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardRedemption

/// An agent's record of resources: sign-ins with their tokens, and the clients that it has registered. A value without
/// I/O.
struct ResourceDocument {
    /// A client that was registered at an issuer for a redirect URI without its port.
    struct KeptClient {
        let issuer: String
        let base: String
        let client: ClientRegistration
    }

    /// The newest first.
    private(set) var grants: [KeptGrant] = []
    private(set) var clients: [KeptClient] = []

    /// The most sign-ins that are kept. Beyond it the oldest gives way.
    private static let maximumGrants = 512
    private static let maximumClients = 512
    /// The most URLs that one sign-in serves.
    private static let maximumURLs = 64

    init() {}

    func grant(_ key: KeptGrant.Key) -> KeptGrant? { grants.first { $0.key == key } }

    /// Adds a sign-in in place of the earlier ones of the same account at this resource: their issuer or client is no
    /// longer the one in use.
    mutating func put(_ grant: KeptGrant) {
        let earlier = grants.filter { $0.grant.resource == grant.grant.resource && $0.account.id == grant.account.id }
        var grant = grant
        if let same = earlier.first(where: { $0.key == grant.key }) { grant.askedURLs.formUnion(same.askedURLs) }
        if grant.askedURLs.count > Self.maximumURLs { grant.askedURLs = [grant.grant.asked] }
        grants.removeAll { $0.grant.resource == grant.grant.resource && $0.account.id == grant.account.id }
        grants = Array(([grant] + grants).prefix(Self.maximumGrants))
    }

    /// Puts renewed tokens in the place of those that were seen, unless the sign-in is gone.
    mutating func renew(_ renewed: KeptGrant) -> Bool {
        guard let index = grants.firstIndex(where: { $0.key == renewed.key }) else { return false }
        var renewed = renewed
        renewed.askedURLs = grants[index].askedURLs
        grants[index] = renewed
        return true
    }

    mutating func serve(_ url: String, by key: KeptGrant.Key) {
        guard let index = grants.firstIndex(where: { $0.key == key }),
            grants[index].askedURLs.count < Self.maximumURLs
        else { return }
        grants[index].askedURLs.insert(url)
    }

    @discardableResult
    mutating func remove(_ key: KeptGrant.Key) -> KeptGrant? {
        grants.firstIndex { $0.key == key }.map { grants.remove(at: $0) }
    }

    /// Adds the entries of another document. They replace this one's entries with the same key.
    mutating func add(_ other: ResourceDocument) {
        for grant in other.grants.reversed() { put(grant) }
        for kept in other.clients.reversed() { put(kept.client, at: kept.issuer, for: kept.base) }
    }

    func client(at issuer: String, for base: String) -> ClientRegistration? {
        clients.first { $0.issuer == issuer && $0.base == base }?.client
    }

    mutating func put(_ client: ClientRegistration, at issuer: String, for base: String) {
        clients.removeAll { $0.issuer == issuer && $0.base == base }
        clients = Array(
            ([KeptClient(issuer: issuer, base: base, client: client)] + clients).prefix(Self.maximumClients))
    }

    mutating func removeClient(_ id: String, at issuer: String) {
        clients.removeAll { $0.issuer == issuer && $0.client.clientID == id }
    }
}

// MARK: As bytes

extension ResourceDocument {
    private static let version: Int64 = 1

    /// Reads a document; nil for one that this version cannot read.
    init?(_ bytes: [UInt8]) {
        guard let object = (try? JSONValue.parse(bytes))?.object, object["version"]?.integer == Self.version else {
            return nil
        }
        grants = (object["grants"]?.array ?? []).compactMap { $0.object.flatMap { KeptGrant(kept: $0) } }
        clients = (object["clients"]?.array ?? []).compactMap { $0.object.flatMap { KeptClient($0) } }
    }

    var serialized: [UInt8] {
        JSONValue.object([
            "version": .integer(Self.version), "grants": .array(grants.map { .object($0.json) }),
            "clients": .array(clients.map { .object($0.json) }),
        ]).serialized
    }
}

extension KeptGrant {
    fileprivate init?(kept object: JSONObject) {
        guard let text = object["grant"]?.string, let grant = ResourceGrant(Secret(text)),
            let access = object["access_token"]?.string, let account = object["account"]?.object,
            let id = account["id"]?.string, let obtainedOn = object["obtained_on"]?.integer,
            let expiresOn = object["expires_on"]?.integer
        else { return nil }
        self.init(
            grant: grant, askedURLs: Set((object["urls"]?.array ?? []).compactMap(\.string)),
            account: AgentAccount(
                id: id, username: account["username"]?.string, name: account["name"]?.string,
                environment: account["environment"]?.string ?? "", tenantID: nil),
            accessToken: Secret(access), tokenType: object["token_type"]?.string ?? "Bearer", obtainedOn: obtainedOn,
            expiresOn: expiresOn, scopes: Scopes(parsing: object["scope"]?.string ?? ""),
            requested: Scopes(parsing: object["requested"]?.string ?? ""),
            refreshToken: object["refresh_token"]?.string.map { Secret($0) },
            bindingKey: object["binding_key"]?.string.map { Secret($0) })
    }

    fileprivate var json: JSONObject {
        var person: JSONObject = ["id": .string(account.id), "environment": .string(account.environment)]
        person["username"] = account.username.map { .string($0) }
        person["name"] = account.name.map { .string($0) }
        var object: JSONObject = [
            "grant": .string(grant.sealable.exposedText), "urls": .array(askedURLs.sorted().map { .string($0) }),
            "account": .object(person), "access_token": .string(accessToken.exposedText),
            "token_type": .string(tokenType), "obtained_on": .integer(obtainedOn), "expires_on": .integer(expiresOn),
            "scope": .string(scopes.text), "requested": .string(requested.text),
        ]
        object["refresh_token"] = refreshToken.map { .string($0.exposedText) }
        object["binding_key"] = bindingKey.map { .string($0.exposedText) }
        return object
    }
}

extension ResourceDocument.KeptClient {
    fileprivate init?(_ object: JSONObject) {
        guard let issuer = object["issuer"]?.string, let base = object["base"]?.string,
            let id = object["client_id"]?.string, let uri = object["redirect_uri"]?.string
        else { return nil }
        let authentication: ClientAuthentication
        switch (object["method"]?.string, object["secret"]?.string.map { Secret($0) }) {
        case ("client_secret_basic", let secret?): authentication = .clientSecretBasic(secret)
        case ("client_secret_post", let secret?): authentication = .clientSecretPost(secret)
        case ("none", nil): authentication = .none
        default: return nil
        }
        self.init(
            issuer: issuer, base: base,
            client: ClientRegistration(
                clientID: id, authentication: authentication, scope: Scopes(parsing: object["scope"]?.string ?? ""),
                redirectURI: uri))
    }

    fileprivate var json: JSONObject {
        var object: JSONObject = [
            "issuer": .string(issuer), "base": .string(base), "client_id": .string(client.clientID),
            "method": .string(client.authentication.name), "scope": .string(client.scope.text),
            "redirect_uri": .string(client.redirectURI),
        ]
        object["secret"] = client.authentication.secret.map { .string($0.exposedText) }
        return object
    }
}
