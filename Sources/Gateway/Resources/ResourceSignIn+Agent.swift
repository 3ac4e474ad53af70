internal import SwitchyardHTTP
internal import SwitchyardHTTPClient
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardRedemption
internal import SwitchyardRouting

/// The client of an agent's sign-in to a resource, and the port for its callback.
extension ResourceSignIn {
    /// Configured, else the client document that a gateway serves for this agent, else a registration.
    func clientOfAgent(
        _ agent: any LocalAgent, _ found: DiscoveredResource, _ settings: ResourceEntry, _ base: RedirectURI,
        _ scope: Scopes, _ rules: GivenAddressRules, _ named: NamedResource
    ) async throws(ResourceRefusal) -> Client {
        if let client = settings.client {
            return try await clientWithOpenPort(client.id, client.authentication, base, named)
        }
        // The document lists the entry's redirect URI, for all resources.
        if found.server.issuer.takesClientDocuments, let document = settings.document,
            let listed = entry.redirectURIs.first
        {
            return try await clientWithOpenPort(document, .none, listed, named)
        }
        let issuer = found.server.issuer.issuer
        guard named.mayRegister else {
            guard let kept = await agent.client(at: issuer, for: base) else {
                throw .clientRequired("this agent no longer has the client that the token is for: begin a sign-in")
            }
            return Client(id: kept.clientID, authentication: kept.authentication, redirectURI: base)
        }
        let key = ClientRegistrations.key(issuer, base)
        let registrations = exchange.registrations
        // A second try, where another program has taken the port of a registration.
        for _ in 0..<2 {
            let made = try await registrations.client(key, covering: scope) { scope async throws(ResourceRefusal) in
                try await registration(agent, found, base, scope, rules)
            }
            if let uri = try? RedirectURI(made.redirectURI), let port = await ports.reserve(uri.loopbackPort) {
                return Client(
                    id: made.clientID, authentication: made.authentication, redirectURI: uri, port: port)
            }
            await registrations.forget(key, made.clientID)
            await agent.forgetClient(made.clientID, at: issuer)
        }
        throw Self.noPort(base)
    }

    private var ports: CallbackPorts { exchange.core.callbackPorts }

    /// A client whose redirect URI may have any port (RFC 8252 section 7.3), or the configured one.
    private func clientWithOpenPort(
        _ id: String, _ authentication: ClientAuthentication, _ base: RedirectURI, _ named: NamedResource
    ) async throws(ResourceRefusal) -> Client {
        guard named.mayRegister else { return Client(id: id, authentication: authentication, redirectURI: base) }
        guard let port = await ports.reserve(base.loopbackPort),
            let uri = try? RedirectURI(base.text(port: port.port))
        else { throw Self.noPort(base) }
        return Client(id: id, authentication: authentication, redirectURI: uri, port: port)
    }

    /// The kept registration if it is of use, else a new one. The port of a new one is open before the issuer hears of it.
    private func registration(
        _ agent: any LocalAgent, _ found: DiscoveredResource, _ base: RedirectURI, _ scope: Scopes,
        _ rules: GivenAddressRules
    ) async throws(ResourceRefusal) -> ClientRegistration {
        let issuer = found.server.issuer.issuer
        let kept = await agent.client(at: issuer, for: base)
        let keptPort = kept.flatMap { try? RedirectURI($0.redirectURI) }?.loopbackPort
        let own: CallbackPorts.Reservation? = if let keptPort { await ports.reserve(keptPort) } else { nil }
        if let kept, own != nil, kept.covers(scope), !kept.isExpired(at: exchange.registry.now.seconds) { return kept }
        let reserved: CallbackPorts.Reservation? = if let own { own } else { await ports.reserve(base.loopbackPort) }
        guard let port = reserved, let uri = try? RedirectURI(base.text(port: port.port)) else {
            throw Self.noPort(base)
        }
        let all = ResourceScopes.registered(scope, kept?.scope, found.resource.scopesSupported)
        let made = try await exchange.worker.redeemer.register(
            "Switchyard for \(found.resource.resource.host)", redirectURI: uri, scope: all, at: found.server, rules)
        await agent.keep(made, at: issuer, for: base)
        return withExtendedLifetime(port) { made }
    }

    private static func noPort(_ base: RedirectURI) -> ResourceRefusal {
        let port = base.loopbackPort.map { "port \($0)" } ?? "no port"
        return .noPort(
            "\(port) on 127.0.0.1 can be listened on, or the kernel hides who connects there (sock_diag, /proc/net/tcp)"
        )
    }
}
