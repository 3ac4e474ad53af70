internal import SwitchyardCrypto
internal import SwitchyardHTTPClient
internal import SwitchyardOAuth
internal import SwitchyardReactor
internal import SwitchyardRedemption
internal import SwitchyardRouting
internal import Synchronization

/// What the gateway has learned of resources and their authorization servers. Safe from any thread.
///
/// All of it can be learned anew, so a full table is emptied.
final class KnownResources: Sendable {
    private struct Finding {
        let found: DiscoveredResource
        let until: Instant
    }

    /// A registration under way, which all that need it wait for; or its end.
    enum Registration: Sendable {
        case underWay([Signal])
        /// - Parameters:
        ///   - isSecond: whether the issuer has refused the client before this one.
        ///   - isTried: whether tokens have come with it.
        case done(ClientRegistration, isSecond: Bool, isTried: Bool)
        /// The issuer refused the client. The next one is the second.
        case refusedOnce
        /// No client is registered until then.
        case refused(until: Instant)
    }

    /// What a client document says of bound tokens, or that it cannot be read.
    private struct Demand {
        let bindsTokens: Bool
        let until: Instant
    }

    private struct State {
        var issuers: [SHA256Digest: Issuer] = [:]
        var findings: [String: Finding] = [:]
        var demands: [String: Demand] = [:]
        var registrations: [String: Registration] = [:]
    }

    private static let maximum = 1024
    private static let lifetime = Duration.seconds(300)

    private let state = Mutex(State())

    /// The key of a registration: an issuer, and a redirect URI without the port that an agent adds.
    static func key(_ issuer: String, _ redirectURI: RedirectURI) -> String { "\(issuer) \(redirectURI.text)" }

    /// The issuer of a grant, with its cached keys.
    func issuer(_ grant: ResourceGrant, _ rules: GivenAddressRules) -> Issuer {
        state.withLock { state in
            if let known = state.issuers[grant.digest], known.settings.given == rules { return known }
            var settings = IssuerSettings(
                name: grant.metadata.issuer, source: .configured(grant.metadata), profile: grant.profile,
                trustAnchor: rules.trustAnchor, route: rules.route, timeout: GivenAddressRules.timeout,
                maximumBytes: GivenAddressRules.maximumBytes)
            settings.given = rules
            let issuer = Issuer(settings)
            if state.issuers.count >= Self.maximum { state.issuers = [:] }
            state.issuers[grant.digest] = issuer
            return issuer
        }
    }

    func finding(_ key: String) -> DiscoveredResource? {
        state.withLock { state in
            guard let finding = state.findings[key], Instant.now() < finding.until else { return nil }
            return finding.found
        }
    }

    func keep(_ found: DiscoveredResource, _ key: String) {
        state.withLock { state in
            if state.findings.count >= Self.maximum { state.findings = [:] }
            state.findings[key] = Finding(found: found, until: .now() + Self.lifetime)
        }
    }

    /// Whether a client document demands bound tokens. One that cannot be read demands nothing.
    /// - Parameter read: asks for the document.
    func bindsTokens(ofClient address: String, _ read: () async -> Bool?) async -> Bool {
        let known = state.withLock { state in state.demands[address].flatMap { Instant.now() < $0.until ? $0 : nil } }
        if let known { return known.bindsTokens }
        let demand = Demand(bindsTokens: await read() ?? false, until: .now() + Self.lifetime)
        state.withLock { state in
            if state.demands.count >= Self.maximum { state.demands = [:] }
            state.demands[address] = demand
        }
        return demand.bindsTokens
    }

    /// The present registration under a key; nil without one.
    func registration(_ key: String) -> ClientRegistration? {
        state.withLock { state in
            if case .done(let known, _, _)? = state.registrations[key] { known } else { nil }
        }
    }

    /// The registration under a key, made by one caller for all that ask meanwhile.
    func registration(
        _ key: String, covering scope: Scopes,
        make: () async throws(ResourceRefusal) -> ClientRegistration
    ) async throws(ResourceRefusal) -> ClientRegistration {
        while true {
            let signal = Signal()
            let turn = state.withLock { state in
                Self.turn(at: &state.registrations[key], covering: scope, signal)
            }
            switch turn {
            case .use(let known): return known
            case .none: throw .clientRequired("the issuer refused two registered clients; none is made for an hour")
            case .wait: _ = await signal.wait(until: .now() + .seconds(15))
            case .make(let before):
                do throws(ResourceRefusal) {
                    let made = try await make()
                    let isSecond = if case .refusedOnce? = before { true } else { false }
                    end(key, .done(made, isSecond: isSecond, isTried: false))
                    return made
                } catch {
                    end(key, before)
                    throw error
                }
            }
        }
    }

    /// The part of one caller that needs a registration.
    private enum Turn {
        case use(ClientRegistration)
        case wait
        /// - Parameter before: the state if a registration fails.
        case make(before: Registration?)
        case none
    }

    private static func turn(at entry: inout Registration?, covering scope: Scopes, _ signal: Signal) -> Turn {
        switch entry {
        case .underWay(let waiting):
            entry = .underWay(waiting + [signal])
            return .wait
        case .done(let known, _, _) where known.covers(scope): return .use(known)
        case .refused(let until) where Instant.now() < until: return .none
        case let before:
            entry = .underWay([])
            return .make(before: before)
        }
    }

    /// Tokens have come with a registered client.
    func use(_ key: String, _ clientID: String) {
        state.withLock { state in
            guard case .done(let known, let isSecond, _)? = state.registrations[key], known.clientID == clientID else {
                return
            }
            state.registrations[key] = .done(known, isSecond: isSecond, isTried: true)
        }
    }

    /// Forgets a registration that the issuer refuses. If it is the second one, and no token came with it, none is made
    /// for an hour.
    func refuse(_ key: String, _ clientID: String) {
        state.withLock { state in
            guard case .done(let known, let isSecond, let isTried)? = state.registrations[key],
                known.clientID == clientID
            else { return }
            state.registrations[key] =
                isSecond && !isTried ? .refused(until: .now() + .seconds(3600)) : .refusedOnce
        }
    }

    /// Forgets a registration that can no longer be used, through no fault of the issuer.
    func forget(_ key: String, _ clientID: String) {
        state.withLock { state in
            guard case .done(let known, _, _)? = state.registrations[key], known.clientID == clientID else { return }
            state.registrations[key] = nil
        }
    }

    private func end(_ key: String, _ registration: Registration?) {
        let waiting = state.withLock { state -> [Signal] in
            defer { state.registrations[key] = registration }
            if case .underWay(let waiting)? = state.registrations[key] { return waiting }
            return []
        }
        for signal in waiting { signal.raise() }
    }
}
