internal import SwitchyardCrypto
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardRedemption

/// The state of the client at one issuer for one redirect URI. Pure: it decides, and others read and write it.
struct RegistrationState: Hashable, Sendable {
    /// A gateway that registers a client at present. The others wait until then.
    struct Lock: Hashable, Sendable {
        let owner: String
        let until: Int64
    }

    /// The client for sign-ins.
    private(set) var client: ClientRegistration?
    /// The last client that got tokens, until its successor gets tokens. So an app's refreshes survive a begin that
    /// asks for more scopes.
    private(set) var previous: ClientRegistration?
    /// Whether the issuer has refused the client before this one.
    private(set) var isSecond = false
    /// The last time, in seconds since 1970, at which tokens have come with the client; nil if none have.
    private(set) var lastUse: Int64?
    /// The issuer refused the last client, so the next one is the second.
    private(set) var wasRefused = false
    /// No client is registered until then.
    private(set) var pauseUntil: Int64?
    private(set) var lock: Lock?

    /// The next step of a caller that needs a client.
    enum Step: Equatable {
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
    func step(of owner: String, covering scope: Scopes, at now: Int64) -> Step {
        if let pauseUntil, now < pauseUntil { return .refuse }
        if let client, client.covers(scope), !client.isExpired(at: now) { return .use(client) }
        // A lock of a later time than any gateway writes comes from a wrong clock.
        if let lock, now < lock.until, lock.until <= now + 2 * Self.lockSeconds { return .wait }
        var state = self
        state.pauseUntil = nil
        state.lock = Lock(owner: owner, until: now + Self.lockSeconds)
        return .register(state)
    }

    /// The client of a token that is refreshed.
    var clientOfTokens: ClientRegistration? { lastUse == nil ? previous ?? client : client }

    /// The scopes that clients were registered with until now. The next one gets them too: otherwise two apps that ask for different
    /// scopes would replace each other's client at each begin.
    var scope: Scopes { client?.scope ?? previous?.scope ?? Scopes(parsing: "") }

    /// The state after the registration of a client that replaces this one.
    func registered(_ client: ClientRegistration) -> RegistrationState {
        var state = RegistrationState()
        state.client = client
        state.previous = lastUse == nil ? previous : self.client
        state.isSecond = wasRefused
        return state
    }

    /// Without a lock, because no client could be registered.
    func unlocked() -> RegistrationState {
        var state = self
        state.lock = nil
        return state
    }

    /// After tokens have come with the client; nil if no change must be written.
    func used(_ clientID: String, at now: Int64) -> RegistrationState? {
        guard client?.clientID == clientID, lastUse.map({ now - $0 > Self.day || now < $0 }) ?? true else { return nil }
        var state = self
        state.lastUse = now
        state.previous = nil
        return state
    }

    /// After the issuer has refused the client; nil if it is another one by now. If it was the second one, and no token has come
    /// with it, none is registered for an hour.
    func refused(_ clientID: String, at now: Int64) -> RegistrationState? {
        guard client?.clientID == clientID else {
            guard previous?.clientID == clientID else { return nil }
            var state = self
            state.previous = nil
            return state
        }
        var state = RegistrationState()
        state.lock = lock
        state.previous = previous
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
        if lastUse != nil || previous != nil { return now + 400 * Self.day }
        if client != nil { return now + Self.day }
        return max(now + (wasRefused ? Self.day : 60), pauseUntil ?? 0, lock?.until ?? 0)
    }
}

// MARK: As bytes

extension RegistrationState {
    /// As it is sealed.
    var packed: [UInt8] {
        var object: JSONObject = ["form": 1]
        object["client"] = client.map { .object(Self.packed($0)) }
        object["previous"] = previous.map { .object(Self.packed($0)) }
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
        guard Self.read(object["client"], into: &client), Self.read(object["previous"], into: &previous) else {
            return nil
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

    private static func packed(_ client: ClientRegistration) -> JSONObject {
        var object: JSONObject = [
            "id": .string(client.clientID), "method": .string(client.authentication.name),
            "scope": .string(client.scope.text), "redirect_uri": .string(client.redirectURI),
        ]
        object["secret"] = client.authentication.secret.map { .string($0.exposedText) }
        object["secret_ends"] = client.expiresAt.map { .integer($0) }
        return object
    }

    /// - Returns: false for something that is no client.
    private static func read(_ value: JSONValue?, into client: inout ClientRegistration?) -> Bool {
        guard let value else { return true }
        guard let object = value.object, let id = object["id"]?.string,
            let redirectURI = object["redirect_uri"]?.string,
            let authentication = ClientAuthentication(
                registered: object["method"]?.string, secret: object["secret"]?.string)
        else { return false }
        client = ClientRegistration(
            clientID: id, authentication: authentication, scope: Scopes(parsing: object["scope"]?.string ?? ""),
            redirectURI: redirectURI, expiresAt: object["secret_ends"]?.integer)
        return true
    }
}
