internal import SwitchyardOAuth
internal import SwitchyardRouting
internal import SwitchyardText

/// Reads one element of `apps:`.
struct AppDecoder {
    let reader: MappingReader<AppKey>
    /// nil where they could not be read, so that no app is blamed for it.
    let issuerNames: Set<String>?

    var context: DecodingContext { reader.context }

    static func decode(_ node: YAMLNode, in context: DecodingContext, issuerNames: Set<String>?) -> DecodedApp? {
        MappingReader<AppKey>(node, in: context).flatMap {
            AppDecoder(reader: $0, issuerNames: issuerNames).decode()
        }
    }

    /// The app's ID, name and redirect URIs, without its secrets and its policy.
    static func summary(_ node: YAMLNode, in context: DecodingContext) -> AppFile.App? {
        guard let reader = MappingReader<AppKey>(node, in: context) else { return nil }
        let decoder = AppDecoder(reader: reader, issuerNames: nil)
        guard let id = decoder.id, let redirects = decoder.redirectURIs(appID: id) else { return nil }
        let name = reader[.name].flatMap { decoder.name($0) }
        return AppFile.App(id: id, name: name ?? id.text, redirectURIs: redirects.uris)
    }

    private var id: AppID? {
        reader.required(.id, Self.idRemedy).flatMap {
            context.value($0, Self.idRemedy) { text in
                text.hasPrefix(ResourceEntry.idPrefix) ? nil : AppID(text)
            }
        }
    }

    private func decode() -> DecodedApp? {
        let id = self.id
        let name = reader[.name].flatMap { self.name($0) }
        let issuer = reader.required(.issuer, "name one of the issuers").flatMap {
            self.issuer($0)
        }
        let clientID =
            takesAnyIssuer
            ? reader[.clientID].map { self.clientID($0) } ?? ""
            : reader.required(.clientID, "write the client ID that the issuer gave").flatMap { self.clientID($0) }
        let redirects = redirectURIs(appID: id)
        let hosted = reader[.clientID].flatMap { hostedID($0, id, redirects?.uris) }
        let handlers = self.handlers()
        // Every part is read, even if another has errors, so all errors are reported at once.
        let policy = policy(handlers ?? [.pending], redirects?.uris)
        checkAnyIssuer(handlers, policy)
        checkPatterns(redirects?.uris, handlers)
        let tenants = self.tenants()
        let gateway = reader[.gateway].flatMap { self.gateway($0, redirects?.uris) }
        let branding = self.branding
        guard let id, let issuer, let clientID, let redirects, let handlers, let policy else { return nil }
        let registration = AppRegistration(
            id: id, name: name ?? id.text, issuer: issuer, clientID: hosted ?? clientID, redirectURIs: redirects.uris,
            handlers: handlers, release: policy.release, defaultScope: policy.defaultScope,
            clientAuthentication: policy.authentication, beginFrom: policy.beginFrom, tenants: tenants,
            responseMode: policy.responseMode, requiresStart: policy.requiresStart, returnURI: policy.returnURI,
            relayFrom: policy.relayFrom, useFrom: reader[.useFrom].flatMap { useFrom($0) }, gateway: gateway,
            push: policy.push, tokenHandling: policy.tokenHandling, keys: policy.keys,
            signsRequests: policy.signsRequests, branding: branding)
        return DecodedApp(registration, reader, refusedURIs: redirects.refused)
    }

    private static let idRemedy =
        "write the app's id, such as com.example.app: letters, digits and .-_, at most 128, a letter or digit first"

    /// The issuer that the app belongs to; one that is not known is reported.
    private func issuer(_ node: YAMLNode) -> String? {
        guard let name = context.text(node, "name exactly one of the issuers") else { return nil }
        if let issuerNames, !issuerNames.contains(name), name != AppRegistration.anyIssuer {
            let nearest = Spelling.nearest(to: name, among: issuerNames.sorted())
            context.error(
                at: node.mark, "unknown issuer \"\(name)\"",
                nearest.map { "did you mean \"\($0)\"?" } ?? "name one of the issuers of the main file")
        }
        return name
    }

    /// Shown on pages and in logs, so it is one line of moderate length.
    private func name(_ node: YAMLNode) -> String? {
        context.value(node, "write a name of one line and at most 100 characters") { text in
            // Most names are ASCII, and asking Unicode about each letter takes its time with 100,000 apps.
            if text.allBytes({ (0x20...0x7E).contains($0) }) { return text.utf8.count <= 100 ? text : nil }
            let isOneLine = text.unicodeScalars.allSatisfy { scalar in
                scalar == " " || !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
            }
            return isOneLine && text.count <= 100 ? text : nil
        }
    }

    /// RFC 6749 appendix A.1: visible ASCII and spaces.
    private func clientID(_ node: YAMLNode) -> String? {
        context.value(node, "write the client ID as the issuer gave it: ASCII without control characters") { text in
            text.allBytes { (0x20...0x7E).contains($0) } ? text : nil
        }
    }

    /// The address of the app's own document, for `client_id: hosted`; nil for another client ID, and if it is wrong, which
    /// is reported.
    private func hostedID(_ node: YAMLNode, _ id: AppID?, _ uris: [RedirectURI]?) -> String? {
        guard node.scalar == "hosted" else { return nil }
        let mark = reader.mark(of: .clientID)
        if reader[.clientSecret] != nil || reader[.clientSecretFile] != nil {
            context.error(
                at: mark, "client_id hosted with a secret",
                "leave the secret out: an issuer that reads a document has none")
        }
        if reader[.tlsClientCertificate] != nil {
            context.error(
                at: mark, "client_id hosted with a client certificate",
                "leave the certificate out: a client document names none")
        }
        for uri in uris ?? [] where !ClientDocument.takes(uri) {
            context.error(
                at: mark, "client_id hosted with the redirect URI \"\(uri)\", which is neither https nor loopback",
                "list https or loopback redirect URIs only: issuers take no others from a document")
        }
        guard let home = context.publicURL else { return nil }
        guard home.isHTTPS else {
            context.error(at: mark, "client_id hosted at an http public_url", "issuers fetch documents by https only")
            return nil
        }
        guard let id else { return nil }
        let address = "\(home)/clients/\(id)"
        let document = ClientDocument(
            address: address, name: id.text, home: "\(home)", redirectURIs: uris ?? [], scope: Scopes(parsing: ""))
        // The name and the scope are not in it yet.
        if document.content.count > ClientDocument.maximumBytes - 1024 {
            context.error(
                at: mark,
                "the client document of \"\(id)\" is larger than issuers take (\(ClientDocument.maximumBytes) bytes)",
                "list fewer redirect URIs")
        }
        return address
    }

    /// The redirect URIs; nil if `redirect_uris` is wrong. An app without the key gets its default one. `refused` are
    /// the indexes of the elements that were reported.
    private func redirectURIs(appID: AppID?) -> (uris: [RedirectURI], refused: [Int])? {
        guard let node = reader[.redirectURIs] else {
            guard let appID else { return nil }
            let uri = redirectURI(RedirectURI.defaultURI(bundleID: appID.text), at: reader.node.mark)
            return uri.map { ([$0], []) }
        }
        if node.isEmptyList {
            context.error(
                at: node.mark, "an empty list of redirect URIs",
                "list at least one, or leave the key out for msauth.[id]://auth")
            return nil
        }
        var number = 0
        var refused: [Int] = []
        let uris = context.list(node) { element in
            let uri = redirectURI(element)
            if uri == nil { refused.append(number) }
            number += 1
            return uri
        }
        return uris.map { ($0, refused) }
    }

    private func redirectURI(_ element: YAMLNode) -> RedirectURI? {
        if element.isMapping {
            context.notSupportedYet("a redirect URI in components", at: element.mark, "write the address as one text")
            return nil
        }
        return context.text(element).flatMap { redirectURI($0, at: element.mark) }
    }

    private func redirectURI(_ text: String, at mark: Mark) -> RedirectURI? {
        do {
            return try RedirectURI(registering: text)
        } catch {
            context.error(at: mark, "the redirect URI \"\(text)\" \(error.message)", error.remedy)
            return nil
        }
    }

    /// Its own part of the pages; nil without one.
    private var branding: AppBranding? {
        let logo = reader[.logoFile].flatMap { context.logo($0) }
        let supportURL = reader[.supportURL].flatMap { context.supportURL($0) }
        return logo == nil && supportURL == nil ? nil : AppBranding(logo: logo, supportURL: supportURL)
    }

    private func tenants() -> [String] {
        guard let node = reader[.tenants] else { return [] }
        return context.list(node) { element in
            context.value(element, "write the tenant's id as in the token's \"tid\", a GUID") { text in
                GUID(text) == nil ? nil : text
            }
        } ?? []
    }
}

/// The keys of an app.
enum AppKey: String, ConfigurationKey {
    case id
    case name
    case issuer
    case clientID = "client_id"
    case redirectURIs = "redirect_uris"
    case handler
    case release
    case defaultScope = "default_scope"
    case tokenEndpointAuthMethod = "token_endpoint_auth_method"
    case clientSecret = "client_secret"
    case clientSecretFile = "client_secret_file"
    case tlsClientCertificate = "tls_client_certificate"
    case tlsClientKey = "tls_client_key"
    case beginFrom = "begin_from"
    case tenants
    case responseMode = "response_mode"
    case requireStart = "require_start"
    case returnURI = "return_uri"
    case relayFrom = "relay_from"
    case useFrom = "use_from"
    case gateway
    case userInfo = "userinfo"
    case encryptionKeysForTokens = "encryption_keys_for_tokens"
    case encrypted
    case dpop
    case par
    case signingKeys = "signing_keys"
    case requestObject = "request_object"
    case logoFile = "logo_file"
    case supportURL = "support_url"

    static let later = [
        "apple_app_id", "android",
    ]
}

/// An app that was read, and where its parts stand, for the rules that look at several apps.
struct DecodedApp {
    let registration: AppRegistration
    let file: SourceFile
    /// The node of the file; nil for an app of an earlier version of its file.
    private let node: YAMLNode?
    /// The indexes of invalid elements in its list of redirect URIs, which were reported.
    private let refusedURIs: [Int]
    /// The place of an entry of `resources`.
    private var resourceMark: Mark?

    init(_ registration: AppRegistration, _ reader: MappingReader<AppKey>, refusedURIs: [Int] = []) {
        self.registration = registration
        file = reader.context.file
        node = reader.node
        self.refusedURIs = refusedURIs
    }

    /// An app as it was in the last good version of its file.
    init(earlier registration: AppRegistration, of file: SourceFile) {
        self.registration = registration
        self.file = file
        node = nil
        refusedURIs = []
    }

    /// Resources, which stand in no list of apps.
    init(resource registration: AppRegistration, of file: SourceFile, at mark: Mark) {
        self.registration = registration
        self.file = file
        node = nil
        refusedURIs = []
        resourceMark = mark
    }

    // Marks are looked for when there is something to say, which is seldom.

    var mark: Mark { mark(of: .id) }
    var handlerMark: Mark { mark(of: .handler) }
    var releaseMark: Mark { mark(of: .release) }
    var defaultScopeMark: Mark { mark(of: .defaultScope) }
    var tenantsMark: Mark { mark(of: .tenants) }
    var returnMark: Mark { mark(of: .returnURI) }
    var beginFromMark: Mark { mark(of: .beginFrom) }
    var responseModeMark: Mark { mark(of: .responseMode) }
    var useFromMark: Mark { mark(of: .useFrom) }
    var gatewayMark: Mark { mark(of: .gateway) }
    var userInfoMark: Mark { mark(of: .userInfo) }
    var signingKeysMark: Mark { mark(of: .signingKeys) }
    var issuerMark: Mark { mark(of: .issuer) }

    /// One for each redirect URI, in their order.
    var redirectMarks: [Mark] {
        guard let node else { return registration.redirectURIs.map { _ in resourceMark ?? .start } }
        guard let list = entry(.redirectURIs)?.value else { return [node.mark] }
        return list.elements.enumerated().filter { !refusedURIs.contains($0.offset) }.map(\.element.mark)
    }

    private func mark(of key: AppKey) -> Mark { entry(key)?.keyMark ?? node?.mark ?? resourceMark ?? .start }

    private func entry(_ key: AppKey) -> YAMLEntry? { node?.entries.first { $0.isOf(key.rawValue) } }

    var place: Place { Place(file: file, mark: mark) }

    func place(_ mark: Mark) -> Place { Place(file: file, mark: mark) }
}
