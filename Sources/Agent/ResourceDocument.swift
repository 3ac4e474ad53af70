internal import SwitchyardClient
internal import SwitchyardCrypto
internal import SwitchyardGateway
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardRedemption
internal import SwitchyardTokenStorage

/// An agent's record of resources: sign-ins with their tokens, and the clients that it has registered. A value without
/// I/O.
struct ResourceDocument {
    /// A client that was registered at an issuer for a redirect URI without its port.
    struct KeptClient: Hashable {
        let issuer: String
        let base: String
        let client: ClientRegistration
    }

    /// The newest first.
    private(set) var grants: [KeptGrant] = []
    private(set) var clients: [KeptClient] = []
    /// The agents that refresh tokens of a sign-in at present.
    private var leases: [KeptGrant.Key: RefreshLease] = [:]
    /// The sign-ins that came from the storage. A sign-out or a new sign-in takes its key away.
    private var inherited: Set<KeptGrant.Key> = []

    /// The most that the sign-ins may take, in bytes. The storage takes twice as much.
    private static let maximumBytes = 2 << 20
    /// Each sign-in counts as this many bytes or more, so there are at most 512.
    private static let smallestGrant = 4096
    /// The most that the clients may take, in bytes.
    private static let maximumClientBytes = 1 << 20
    /// The most clients that no kept sign-in has. A program makes these without a person.
    private static let maximumUnusedClients = 32
    /// The most URLs that one sign-in serves.
    private static let maximumURLs = 64

    init() {}

    /// - Parameter seen: the sign-in that was stored when the storage could last be read.
    init(assuming seen: KeptGrant?) {
        grants = seen.map { [$0] } ?? []
        inherited = Set(grants.map(\.key))
    }

    var isEmpty: Bool { grants.isEmpty && clients.isEmpty }

    func grant(_ key: KeptGrant.Key) -> KeptGrant? { grants.first { $0.key == key } }

    /// Adds a sign-in in place of the earlier ones of the same account at this resource: their issuer or client is no
    /// longer the one in use.
    mutating func put(_ grant: KeptGrant) {
        let earlier = grants.filter { $0.grant.resource == grant.grant.resource && $0.account.id == grant.account.id }
        var grant = grant
        if let same = earlier.first(where: { $0.key == grant.key }) { grant.askedURLs.formUnion(same.askedURLs) }
        if grant.askedURLs.count > Self.maximumURLs { grant.askedURLs = [grant.grant.asked] }
        grants.removeAll { $0.grant.resource == grant.grant.resource && $0.account.id == grant.account.id }
        grants.insert(grant, at: 0)
        inherited.remove(grant.key)
        leases[grant.key] = nil
        makeRoom()
    }

    /// Removes the oldest sign-in of the program that has the most, until there is room. A program can sign in at a server of
    /// its own without a person.
    private mutating func makeRoom() {
        var sizes = grants.map { max(Self.smallestGrant, JSONValue.object($0.json).serialized.count) }
        while sizes.reduce(0, +) > Self.maximumBytes {
            let totals = Dictionary(zip(grants.map(\.group), sizes), uniquingKeysWith: +)
            let ranks = grants.indices.map { (totals[grants[$0].group] ?? 0, $0) }
            guard let (_, last) = ranks.max(by: <) else { return }
            grants.remove(at: last)
            sizes.remove(at: last)
        }
    }

    /// Puts renewed tokens in the place of those that were seen. Newer ones stay: another agent has renewed them, or the
    /// person has signed in anew.
    /// - Returns: the sign-in with the tokens that count; nil if the person has signed out.
    mutating func renew(_ renewed: KeptGrant, of seen: KeptGrant) -> KeptGrant? {
        guard let index = grants.firstIndex(where: { $0.key == renewed.key }) else { return nil }
        guard grants[index].hasTokens(of: seen) else { return grants[index] }
        var renewed = renewed
        renewed.askedURLs = grants[index].askedURLs
        grants[index] = renewed
        leases[renewed.key] = nil
        makeRoom()
        return renewed
    }

    mutating func serve(_ url: String, by key: KeptGrant.Key) {
        guard let index = grants.firstIndex(where: { $0.key == key }),
            grants[index].askedURLs.count < Self.maximumURLs
        else { return }
        grants[index].askedURLs.insert(url)
    }

    /// Removes a sign-in, whatever tokens it has by now: the person signs out.
    @discardableResult
    mutating func remove(_ key: KeptGrant.Key) -> KeptGrant? {
        inherited.remove(key)
        return grants.firstIndex { $0.key == key }.map { grants.remove(at: $0) }
    }

    /// Removes a sign-in whose refresh token the issuer refused, unless it has another one by now.
    mutating func remove(refused seen: KeptGrant) {
        grants.removeAll { $0.key == seen.key && $0.refreshToken == seen.refreshToken }
    }

    /// Repeats the changes of another copy of this document. Its sign-ins and sign-outs always count. Its renewed and
    /// refused tokens count if no other agent has renewed or removed them meanwhile.
    /// - Parameter base: that copy before its changes.
    mutating func take(_ copy: ResourceDocument, changedSince base: ResourceDocument) {
        for before in base.grants where copy.grant(before.key) == nil {
            if copy.inherited.contains(before.key) { remove(refused: before) } else { remove(before.key) }
        }
        for mine in copy.grants.reversed() {
            guard copy.inherited.contains(mine.key), let before = base.grant(mine.key) else {
                put(mine)
                continue
            }
            if !mine.hasTokens(of: before) { _ = renew(mine, of: before) }
            for url in mine.askedURLs.subtracting(before.askedURLs) { serve(url, by: mine.key) }
        }
        for one in base.clients where !copy.clients.contains(one) { removeClient(one.client.clientID, at: one.issuer) }
        for one in copy.clients.reversed() where !base.clients.contains(one) {
            put(one.client, at: one.issuer, for: one.base)
        }
    }

    /// - Returns: whether `owner` may refresh the tokens of a sign-in now, alone among all agents of the user.
    mutating func takeLease(of key: KeptGrant.Key, for owner: String, at now: UnixTime, seconds: Int64) -> Bool {
        guard let lease = RefreshLease.taken(over: leases[key], for: owner, at: now, seconds: seconds) else {
            return false
        }
        leases[key] = lease
        return true
    }

    mutating func endLease(of key: KeptGrant.Key, for owner: String) {
        if leases[key]?.owner == owner { leases[key] = nil }
    }

    func client(at issuer: String, for base: String) -> ClientRegistration? {
        clients.first { $0.issuer == issuer && $0.base == base }?.client
    }

    mutating func put(_ client: ClientRegistration, at issuer: String, for base: String) {
        clients.removeAll { $0.issuer == issuer && $0.base == base }
        clients.insert(KeptClient(issuer: issuer, base: base, client: client), at: 0)
        // A client that gives way is registered again.
        let used = Set(grants.map { [$0.grant.metadata.issuer, $0.grant.clientID] })
        var (bytes, unused) = (0, 0)
        clients = clients.filter { kept in
            bytes += JSONValue.object(kept.json).serialized.count
            if !used.contains([kept.issuer, kept.client.clientID]) { unused += 1 }
            return bytes <= Self.maximumClientBytes
                && (unused <= Self.maximumUnusedClients || used.contains([kept.issuer, kept.client.clientID]))
        }
    }

    mutating func removeClient(_ id: String, at issuer: String) {
        clients.removeAll { $0.issuer == issuer && $0.client.clientID == id }
    }
}

extension KeptGrant {
    /// The sign-ins that count together when the document is full.
    fileprivate enum Group: Hashable {
        case program(String)
        /// A sign-in that was stored before its program was recorded.
        case alone(Key)
    }

    fileprivate var group: Group { beginner.isEmpty ? .alone(key) : .program(beginner) }

    func hasTokens(of other: KeptGrant) -> Bool {
        accessToken == other.accessToken && refreshToken == other.refreshToken
    }
}

// MARK: As bytes

extension ResourceDocument {
    private static let version: Int64 = 1

    /// Reads a stored document; nil stands for none.
    /// - Throws: `corrupt` for anything else, and `denied` for the document of a later version, which stays as it is.
    init(stored bytes: [UInt8]?) throws(TokenStorageError) {
        guard let bytes else { return }
        guard let object = (try? JSONValue.parse(bytes))?.object, let version = object["version"]?.integer else {
            throw TokenStorageError(
                .corrupt, "the tokens of resources are no document of an agent",
                remedy: "it is set aside; sign in again")
        }
        guard version <= Self.version else {
            throw TokenStorageError(
                .denied, "the tokens of resources were written by a newer agent of this user",
                remedy: "update this one, or end it")
        }
        for case let object? in (object["grants"]?.array ?? []).map(\.object) {
            guard let grant = KeptGrant(kept: object) else { continue }
            grants.append(grant)
            leases[grant.key] = object["lease"]?.object.flatMap { RefreshLease(json: $0) }
        }
        inherited = Set(grants.map(\.key))
        clients = (object["clients"]?.array ?? []).compactMap { $0.object.flatMap { KeptClient($0) } }
    }

    var serialized: [UInt8] {
        let grants = grants.map { grant -> JSONValue in
            var object = grant.json
            object["lease"] = leases[grant.key].map { .object($0.json) }
            return .object(object)
        }
        return JSONValue.object([
            "version": .integer(Self.version), "grants": .array(grants),
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
            bindingKey: object["binding_key"]?.string.map { Secret($0) }, beginner: object["beginner"]?.string ?? "")
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
        object["beginner"] = .string(beginner)
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
                redirectURI: uri, expiresAt: object["secret_ends"]?.integer))
    }

    fileprivate var json: JSONObject {
        var object: JSONObject = [
            "issuer": .string(issuer), "base": .string(base), "client_id": .string(client.clientID),
            "method": .string(client.authentication.name), "scope": .string(client.scope.text),
            "redirect_uri": .string(client.redirectURI),
        ]
        object["secret"] = client.authentication.secret.map { .string($0.exposedText) }
        object["secret_ends"] = client.expiresAt.map { .integer($0) }
        return object
    }
}
