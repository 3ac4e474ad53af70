internal import SwitchyardConfiguration
internal import SwitchyardHTTP
internal import SwitchyardHTTPClient
internal import SwitchyardOAuth
internal import SwitchyardRedemption
internal import SwitchyardRouting
internal import SwitchyardText

extension Setup {
    /// Whether the tokens of a request are bound to a key (RFC 9449), as far as this configuration says it.
    /// - Parameter app: for a resource, as it is after its discovery.
    func bindsTokens(of app: AppRegistration) -> Bool {
        app.bindsTokens(
            asDocument: configuration.clients.contains {
                $0.document.bindsTokens && $0.document.address.isExactly(app.clientID)
            })
    }
}

extension Exchange {
    /// The same, where a client document on another server may demand it.
    /// - Parameter metadata: of the app's issuer; nil for an app of any issuer.
    /// - Throws: ``APIError`` if that document does not answer and the issuer can bind tokens. An unknown demand is not an
    ///   absent one, and an app must know whether its tokens will be bound.
    func bindsTokens(of app: AppRegistration, _ metadata: IssuerMetadata?) async throws(APIError) -> Bool {
        if setup.bindsTokens(of: app) { return true }
        guard app.tokenHandling.binding == .auto, app.resource == nil, let metadata, metadata.takesClientDocuments,
            !app.clientID.hasPrefix(setup.publicURL(ClientDocumentEndpoint.path)),
            let document = try? EndpointURL(app.clientID, allowingLoopbackHTTP: false)
        else { return false }
        let rules = GivenAddressRules(
            trustAnchor: setup.issuer(of: app)?.settings.trustAnchor, route: setup.configuration.route)
        if let binds = await bindsTokens(ofClient: document, rules) { return binds }
        guard metadata.takesProofs else { return false }
        throw APIError(
            .serviceUnavailable, "temporarily_unavailable",
            "the client document \(document) gives no answer that counts, so whether it demands bound tokens is unknown; "
                + "dpop: required or dpop: off of the app decides it", retryAfter: 5)
    }

    /// Whether a client document demands bound tokens; nil if it does not answer.
    func bindsTokens(ofClient document: EndpointURL, _ rules: GivenAddressRules) async -> Bool? {
        var rules = rules
        // The operator wrote the address.
        rules.namedHosts.insert(document.host)
        return await setup.resources.bindsTokens(ofClient: document.text) { [rules] in
            await worker.redeemer.demand(ofClient: document.text, rules)
        }
    }
}
