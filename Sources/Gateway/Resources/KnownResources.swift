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
        case done(ClientRegistration)
        /// No client is registered until then.
        case refused(until: Instant)
    }

    private struct State {
        var issuers: [SHA256Digest: Issuer] = [:]
        var findings: [String: Finding] = [:]
        var registrations: [String: Registration] = [:]
    }

    private static let maximum = 1024
    private static let lifetime = Duration.seconds(300)

    private let state = Mutex(State())

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

    /// The present registration under a key; nil if there is none.
    func registration(_ key: String) -> ClientRegistration? {
        state.withLock { state in
            if case .done(let known)? = state.registrations[key] { known } else { nil }
        }
    }

    /// The registration under a key, made by one caller for all that ask meanwhile.
    func registration(
        _ key: String, covering scope: Scopes,
        make: () async throws(ResourceRefusal) -> ClientRegistration
    ) async throws(ResourceRefusal) -> ClientRegistration {
        while true {
            let signal = Signal()
            let present = state.withLock { state -> Registration? in
                switch state.registrations[key] {
                case .underWay(let waiting):
                    state.registrations[key] = .underWay(waiting + [signal])
                    return .underWay([])
                case .done(let known) where scope.names.allSatisfy(known.scope.contains): return .done(known)
                case .refused(let until) where Instant.now() < until: return .refused(until: until)
                case .done, .refused, nil:
                    state.registrations[key] = .underWay([])
                    return nil
                }
            }
            switch present {
            case .done(let known)?: return known
            case .refused?:
                throw .clientRequired("the issuer refused the last registered client; none is made for an hour")
            case .underWay?: _ = await signal.wait(until: .now() + .seconds(15))
            case nil:
                do throws(ResourceRefusal) {
                    let made = try await make()
                    end(key, .done(made))
                    return made
                } catch {
                    end(key, nil)
                    throw error
                }
            }
        }
    }

    /// Forgets a registration that the issuer refuses. If it is a new one, none is made for an hour.
    func refuse(_ key: String, _ clientID: String, hadTokens: Bool) {
        state.withLock { state in
            guard case .done(let known)? = state.registrations[key], known.clientID == clientID else { return }
            state.registrations[key] = hadTokens ? nil : .refused(until: .now() + .seconds(3600))
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
