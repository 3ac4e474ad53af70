internal import SwitchyardCrypto
internal import SwitchyardHTTPClient
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRedemption
internal import SwitchyardRouting
internal import Synchronization

/// The gateway's knowledge of resources, their authorization servers and client documents. Safe from any thread.
///
/// All of it can be learned anew, so a full table is emptied.
final class KnownResources: Sendable {
    private struct Finding {
        let found: DiscoveredResource
        let until: Instant
    }

    /// Whether a client document asks for bound tokens.
    private struct Demand {
        /// nil where it has never answered.
        let bindsTokens: Bool?
        let until: Instant
    }

    private struct State {
        var issuers: [SHA256Digest: Issuer] = [:]
        var findings: [String: Finding] = [:]
        var demands: [String: Demand] = [:]
        var nextWarning = Instant(nanoseconds: 0)
    }

    /// Each may be as large as two documents, or a set of keys.
    private static let maximum = 256
    private static let lifetime = Duration.seconds(300)
    /// How long a client document that does not answer is left alone.
    private static let pause = Duration.seconds(5)
    private static let warningInterval = Duration.seconds(600)

    private let state = Mutex(State())
    /// The clients of an agent.
    let registrations = RegistrationTable()

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

    /// Whether to warn of a damaged record now: a writer in the store must not fill the log.
    func mayWarn() -> Bool {
        state.withLock { state in
            guard Instant.now() >= state.nextWarning else { return false }
            state.nextWarning = .now() + Self.warningInterval
            return true
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

    /// Whether a client document demands bound tokens. If it no longer answers, or has gone, its last word counts; nil where it
    /// has never answered.
    /// - Parameter read: asks for the document; nil without an answer.
    func bindsTokens(ofClient address: String, _ read: () async -> ClientDocumentDemand?) async -> Bool? {
        let known = state.withLock { $0.demands[address] }
        if let known, Instant.now() < known.until { return known.bindsTokens }
        let answer = await read()
        let binds: Bool? =
            switch answer {
            case .boundTokens: true
            case .nothing: false
            case .noDocument: known?.bindsTokens ?? false
            case nil: known?.bindsTokens
            }
        let demand = Demand(bindsTokens: binds, until: .now() + (answer == nil ? Self.pause : Self.lifetime))
        state.withLock { state in
            if state.demands.count >= Self.maximum { state.demands = [:] }
            state.demands[address] = demand
        }
        return demand.bindsTokens
    }
}
