internal import SwitchyardCrypto
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardRedemption

/// What is known of the client at one issuer for one redirect URI. Pure: it decides, and others read and write it.
struct RegistrationState: Hashable, Sendable {
    /// A gateway that registers a client at present. The others wait until then.
    struct Lock: Hashable, Sendable {
        let owner: String
        let until: Int64
    }

    private(set) var client: ClientRegistration?
    /// Whether the issuer has refused the client before this one.
    private(set) var isSecond = false
    /// The last time, in seconds since 1970, at which tokens have come with the client; nil if none have.
    private(set) var lastUse: Int64?
    /// The issuer refused the last client, so the next one is the second.
    private(set) var wasRefused = false
    /// No client is registered until then.
    private(set) var pauseUntil: Int64?
    private(set) var lock: Lock?

    /// The part of one caller that needs a client.
    enum Turn: Equatable {
        case use(ClientRegistration)
        /// Another caller registers one.
        case wait
        /// This caller registers one, and first writes this state.
        case register(RegistrationState)
        case refuse
    }

    /// How long others leave the registering to one caller: longer than an issuer has for the answer.
    static let lockSeconds: Int64 = 15
    static let pauseSeconds: Int64 = 3600
    private static let day: Int64 = 86_400

    /// - Parameter now: seconds since 1970.
    func turn(of owner: String, covering scope: Scopes, at now: Int64) -> Turn {
        if let pauseUntil, now < pauseUntil { return .refuse }
        if let client, client.covers(scope), !client.isExpired(at: now) { return .use(client) }
        // A lock of a later time than any gateway writes comes from a wrong clock.
        if let lock, now < lock.until, lock.until <= now + 2 * Self.lockSeconds { return .wait }
        var state = self
        state.pauseUntil = nil
        state.lock = Lock(owner: owner, until: now + Self.lockSeconds)
        return .register(state)
    }

    /// With a client that was registered in place of the one before.
    func registered(_ client: ClientRegistration) -> RegistrationState {
        var state = RegistrationState()
        state.client = client
        state.isSecond = wasRefused
        return state
    }

    /// Without a lock, because no client could be registered.
    func unlocked() -> RegistrationState {
        var state = self
        state.lock = nil
        return state
    }

    /// After tokens have come with the client; nil if nothing has to be written.
    func used(_ clientID: String, at now: Int64) -> RegistrationState? {
        guard client?.clientID == clientID, lastUse.map({ now - $0 > Self.day || now < $0 }) ?? true else { return nil }
        var state = self
        state.lastUse = now
        return state
    }

    /// After the issuer has refused the client; nil if it is another one by now. If it was the second one, and no token has come
    /// with it, none is registered for an hour.
    func refused(_ clientID: String, at now: Int64) -> RegistrationState? {
        guard client?.clientID == clientID else { return nil }
        var state = RegistrationState()
        state.lock = lock
        if isSecond, lastUse == nil {
            state.pauseUntil = now + Self.pauseSeconds
        } else {
            state.wasRefused = true
        }
        return state
    }

    /// Without the client, through no fault of the issuer; nil if it is another one by now.
    func forgotten(_ clientID: String) -> RegistrationState? {
        guard client?.clientID == clientID else { return nil }
        var state = self
        (state.client, state.lastUse) = (nil, nil)
        return state
    }

    /// Whether there is nothing to remember.
    var isEmpty: Bool { self == RegistrationState() }

    /// The time after which a store may forget it, in seconds since 1970. A client with which no token has come is forgotten soon,
    /// so that a flood of begins is too.
    func end(at now: Int64) -> Int64 {
        if client != nil { return now + (lastUse == nil ? 1 : 400) * Self.day }
        return max(now + (wasRefused ? Self.day : 60), pauseUntil ?? 0, lock?.until ?? 0)
    }
}

// MARK: As bytes

extension RegistrationState {
    /// As it is sealed.
    var packed: [UInt8] {
        var object: JSONObject = ["form": 1]
        if let client {
            object["client_id"] = .string(client.clientID)
            object["method"] = .string(client.authentication.name)
            object["secret"] = client.authentication.secret.map { .string($0.exposedText) }
            object["secret_ends"] = client.expiresAt.map { .integer($0) }
            object["scope"] = .string(client.scope.text)
            object["redirect_uri"] = .string(client.redirectURI)
        }
        if isSecond { object["second"] = true }
        if wasRefused { object["refused"] = true }
        object["used"] = lastUse.map { .integer($0) }
        object["pause"] = pauseUntil.map { .integer($0) }
        object["owner"] = lock.map { .string($0.owner) }
        object["locked"] = lock.map { .integer($0.until) }
        return JSONValue.object(object).serialized
    }

    /// Reads ``packed``; nil for anything else, such as the form of a later version.
    init?(packed: [UInt8]) {
        guard let object = (try? JSONValue.parse(packed))?.object, object["form"] == 1 else { return nil }
        if let id = object["client_id"]?.string {
            guard
                let authentication = ClientAuthentication(
                    registered: object["method"]?.string, secret: object["secret"]?.string),
                let redirectURI = object["redirect_uri"]?.string
            else { return nil }
            client = ClientRegistration(
                clientID: id, authentication: authentication, scope: Scopes(parsing: object["scope"]?.string ?? ""),
                redirectURI: redirectURI, expiresAt: object["secret_ends"]?.integer)
        }
        isSecond = object["second"]?.bool ?? false
        wasRefused = object["refused"]?.bool ?? false
        lastUse = object["used"]?.integer
        pauseUntil = object["pause"]?.integer
        if let owner = object["owner"]?.string, let until = object["locked"]?.integer {
            lock = Lock(owner: owner, until: until)
        }
        // No gateway writes times beyond these, and no sum of them overflows.
        guard [lastUse, pauseUntil, lock?.until].allSatisfy({ $0.map { (0...Self.farthest).contains($0) } ?? true })
        else { return nil }
    }

    private static let farthest: Int64 = 1 << 40
}
