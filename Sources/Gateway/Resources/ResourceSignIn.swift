internal import SwitchyardConfiguration
internal import SwitchyardHTTP
internal import SwitchyardHTTPClient
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardRedemption
internal import SwitchyardRouting
internal import SwitchyardText

/// Prepares a sign-in to a resource: finds its authorization server, and a client there.
struct ResourceSignIn: Sendable {
    let exchange: Exchange
    /// The entry that allows the resource.
    let entry: AppRegistration

    struct Prepared: Sendable {
        /// The entry for this one sign-in.
        let app: AppRegistration
        let scope: Scopes
        let redirectURI: RedirectURI
        /// The port of an agent that is open for the callback; nil at a gateway.
        let port: CallbackPorts.Reservation?
    }

    /// The client for one sign-in, and where its callback comes.
    struct Client {
        let id: String
        let authentication: ClientAuthentication
        let redirectURI: RedirectURI
        var port: CallbackPorts.Reservation?
    }

    var known: KnownResources { exchange.setup.resources }

    func prepare(_ named: NamedResource) async throws(APIError) -> Prepared {
        guard let settings = entry.resource else { throw .resourceNotAllowed(named.resource) }
        let rules = exchange.setup.rules(for: settings)
        let found: DiscoveredResource
        do throws(ResourceRefusal) {
            found = try await discover(named, settings, rules)
        } catch {
            throw APIError(error)
        }
        // A list may guard the tokens of another entry, which the resource's own metadata make those of this one.
        try UseAuthorization(exchange: exchange).check(entry, of: found.resource.resource, .ownTokens)
        guard let redirectURI = entry.redirectURI(of: found.resource.resource) else {
            throw .resourceNotAllowed(named.resource)
        }
        let bindsTokens = found.resource.requiresDPoP && entry.tokenHandling.binding != .off
        guard !bindsTokens || named.takesBoundTokens else {
            throw .invalidRequest(
                "\"result_key\" is missing: the resource takes only tokens that are bound to a key "
                    + "(dpop_bound_access_tokens_required), and that key goes out sealed only")
        }
        do throws(ResourceRefusal) {
            let scope = ResourceScopes.chosen(
                asked: named.scope, previous: named.previous, challenge: named.challenge, found.resource, found.server)
            guard scope.text.utf8.count <= ResourceScopes.maximumBytes else { throw ResourceRefusal.tooManyScopes }
            let client = try await client(found, settings, redirectURI, scope, rules, named)
            let isBound = await bindsTokens ? true : documentBinds(client, settings, found.server.issuer)
            let grant = ResourceGrant(
                resource: found.resource.resource.text, asked: named.resource.text,
                sendsResource: settings.sendsResource && named.sendsResource,
                metadata: found.server.issuer, clientID: client.id, authentication: client.authentication,
                bindsTokens: isBound)
            guard let app = entry.signingIn(with: grant) else {
                throw ResourceRefusal.clientRequired("the entry no longer has the key of its client: begin again")
            }
            return Prepared(app: app, scope: scope, redirectURI: client.redirectURI, port: client.port)
        } catch {
            throw APIError(error)
        }
    }

    /// Whether the client is an agent's document, which a gateway serves and which demands bound tokens. If it does not answer, it
    /// counts as one that does, wherever the authorization server can bind tokens: an unknown demand is not an absent one.
    private func documentBinds(_ client: Client, _ settings: ResourceEntry, _ server: IssuerMetadata) async -> Bool {
        guard let text = settings.document, client.id.isExactly(text), entry.tokenHandling.binding != .off,
            let document = try? EndpointURL(text, allowingLoopbackHTTP: false)
        else { return false }
        return await exchange.bindsTokens(ofClient: document, exchange.setup.rules(for: settings)) ?? server.takesProofs
    }

    func discover(
        _ named: NamedResource, _ settings: ResourceEntry, _ rules: GivenAddressRules
    ) async throws(ResourceRefusal) -> DiscoveredResource {
        let key =
            "\(settings.url?.text ?? "") \(settings.metadata?.text ?? "") \(settings.client?.issuer ?? "") \(named.resource.text)"
        // After a refused call, the known documents may be outdated.
        if named.challenge == nil, let found = known.finding(key) { return found }
        var discovery = ResourceDiscovery(exchange.worker.redeemer, rules)
        let found = try await discovery.discover(
            named.resource, metadata: settings.metadata, challenge: named.challenge, onlyIssuer: settings.client?.issuer
        )
        // The place in a challenge is one caller's choice, and must not decide for the others.
        if discovery.isAtUsualPlace { known.keep(found, key) }
        return found
    }

    /// The client: configured, else a document of ours, else a registration.
    private func client(
        _ found: DiscoveredResource, _ settings: ResourceEntry, _ redirectURI: RedirectURI, _ scope: Scopes,
        _ rules: GivenAddressRules, _ named: NamedResource
    ) async throws(ResourceRefusal) -> Client {
        if let agent = exchange.core.agent {
            return try await clientOfAgent(agent, found, settings, redirectURI, scope, rules, named)
        }
        if let client = settings.client {
            return Client(id: client.id, authentication: client.authentication, redirectURI: redirectURI)
        }
        let setup = exchange.setup
        if found.server.issuer.takesClientDocuments, let document = setup.clientDocument(of: entry, at: redirectURI) {
            return Client(id: document, authentication: .none, redirectURI: redirectURI)
        }
        let supported = found.resource.scopesSupported
        let redeemer = exchange.worker.redeemer
        let name = setup.clientName(of: entry)
        let key = ClientRegistrations.key(found.server.issuer.issuer, redirectURI)
        let registrations = exchange.registrations
        guard named.mayRegister else {
            guard let made = try await registrations.present(key) else {
                throw .clientRequired("this gateway no longer has the client that the token is for: begin a sign-in")
            }
            return Client(id: made.clientID, authentication: made.authentication, redirectURI: redirectURI)
        }
        let made = try await registrations.client(key, covering: scope) { scope async throws(ResourceRefusal) in
            try await redeemer.register(
                name, redirectURI: redirectURI, scope: ResourceScopes.registered(scope, supported), at: found.server,
                rules)
        }
        return Client(id: made.clientID, authentication: made.authentication, redirectURI: redirectURI)
    }
}

extension Setup {
    func rules(for entry: ResourceEntry) -> GivenAddressRules {
        GivenAddressRules(namedHosts: entry.namedHosts, trustAnchor: entry.trustAnchor, route: configuration.route)
    }
}

extension RequestRegistry {
    /// The app of a request; resources as they were when it began. nil where that is no longer known.
    func app(_ app: AppRegistration, of record: RequestRecord) -> AppRegistration? {
        guard app.resource != nil else { return app }
        return secrets(of: record)?.grant.flatMap { ResourceGrant($0) }.flatMap { app.signingIn(with: $0) }
    }
}

extension APIError {
    static func resourceNotAllowed(_ resource: ResourceURL) -> APIError {
        APIError(
            .badRequest, "resource_not_allowed",
            "no entry of resources: allow covers \(resource.text); the gateway's operator lists the resources")
    }

    init(_ refusal: ResourceRefusal) {
        switch refusal {
        case .notAResource(let words): self.init(.badRequest, "not_a_resource", words)
        case .issuerNotAllowed(let words): self.init(.badRequest, "issuer_not_allowed", words)
        case .clientRequired(let words): self.init(.badRequest, "client_required", words)
        case .noPKCE(let issuer):
            self.init(
                .badRequest, "no_pkce",
                "\(issuer) does not say that it takes S256 challenges (code_challenge_methods_supported), so no sign-in begins"
            )
        case .discoveryFailed(let address, let status):
            let answer = status.map { "answered with status \($0)" } ?? "gave no answer that counts"
            self.init(.badGateway, "discovery_failed", "\(address) \(answer)")
        case .storeFailed: self = .unavailable
        case .tooManyScopes:
            self.init(
                .badRequest, "invalid_scope",
                "the sign-in would ask for scopes of more than \(ResourceScopes.maximumBytes) bytes: name fewer in \"scope\""
            )
        case .noPort(let words): self.init(.serviceUnavailable, "temporarily_unavailable", words, retryAfter: 10)
        }
    }
}
