internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardPages
internal import SwitchyardRouting
internal import SwitchyardText

/// `/clients/ID`: the documents of hosted clients, and `/clients/ID/keys`: the public keys of any app. Public, the same for
/// everybody, without a cookie.
struct ClientDocumentEndpoint: Sendable {
    let exchange: Exchange

    static let path = "/clients/"

    func respond() -> Response {
        let request = exchange.request
        guard request.method == .get || request.method == .head else { return exchange.refusedMethod("GET, HEAD") }
        let id = String(request.pathText.dropFirst(Self.path.count))
        guard request.queryBytes == nil, let content = content(id) else { return exchange.refusedPage(.notFound) }
        let tag = "\"\(Base64URL.encode(Array(SHA256Digest(of: content).bytes.prefix(12))))\""
        let isKnown = request.fieldValues("if-none-match").flatMap { $0.listElements }
            .contains { ["*", tag, "W/\(tag)"].contains(String($0.trimmingSpaces())) }
        var response = Response(
            isKnown ? .notModified : .ok,
            fields: [
                "Content-Type": "application/json", "Cache-Control": "public, max-age=3600",
                "X-Content-Type-Options": "nosniff",
            ], body: isKnown ? .none : .bytes(content))
        response.add("ETag", tag)
        return response
    }

    /// - Parameter name: the rest of the path. No ID has a slash.
    private func content(_ name: String) -> [UInt8]? {
        let setup = exchange.setup
        guard name.hasSuffix(ClientKeys.suffix) else { return setup.clientDocument(name)?.content }
        return setup.routes.app(named: String(name.dropLast(ClientKeys.suffix.count)))?.keys.published
    }
}

extension Setup {
    /// Whether client documents of ours can be client IDs.
    private var servesClientDocuments: Bool { configuration.publicURL.isHTTPS && configuration.servesBrowsers }

    /// The address of the client document of one resource, which is its client ID; nil where it has none.
    /// - Parameter redirectURI: the resource's own.
    func clientDocument(of entry: AppRegistration, at redirectURI: RedirectURI) -> String? {
        guard servesClientDocuments, let segment = redirectURI.text.split(separator: "/").last else { return nil }
        let id = ResourceEntry.idPrefix + segment
        return entry.redirectURI(ofDocument: id).map { _ in publicURL(ClientDocumentEndpoint.path + id) }
    }

    fileprivate func clientDocument(_ id: String) -> ClientDocument? {
        if let client = configuration.clients.first(where: { $0.id == id }) { return client.document }
        guard servesClientDocuments else { return nil }
        let address = publicURL(ClientDocumentEndpoint.path + id)
        if let (entry, redirectURI) = routes.resource(ofDocument: id) {
            var document = ClientDocument(
                address: address, name: clientName(of: entry), home: "\(configuration.publicURL)",
                redirectURIs: [redirectURI], scope: Scopes(parsing: ""))
            document.logo = configuration.pages.logo.map { publicURL(LogoEndpoint.address(of: $0)) }
            return document
        }
        guard let app = routes.app(named: id), app.resource == nil, app.clientID == address else { return nil }
        var document = ClientDocument(
            address: address, name: app.name, home: "\(configuration.publicURL)",
            redirectURIs: app.redirectURIs.filter(ClientDocument.takes), scope: app.defaultScope)
        document.authentication = app.clientAuthentication.name
        document.keys = app.keys.isEmpty ? nil : address + ClientKeys.suffix
        document.logo = (app.branding?.logo ?? configuration.pages.logo).map { publicURL(LogoEndpoint.address(of: $0)) }
        document.bindsTokens = app.tokenHandling.binding == .required
        return document
    }

    /// The name of a resource's client for an issuer's consent page. It names the host that gets the tokens.
    func clientName(of entry: AppRegistration) -> String { "\(configuration.publicURL.host) for \(entry.name)" }
}
