internal import SwitchyardCrypto
public import SwitchyardOAuth
internal import SwitchyardRouting
internal import SwitchyardTLS

/// The `issuers:` list.
struct IssuersSection {
    enum Key: String, ConfigurationKey {
        case name
        case preset
        case tenant
        case tenantID = "tenant_id"
        case domain
        case realm
        case region
        case pool
        case policy
        case application
        case server
        case issuer
        case authorizationEndpoint = "authorization_endpoint"
        case tokenEndpoint = "token_endpoint"
        case jwksURI = "jwks_uri"
        case userInfoEndpoint = "userinfo_endpoint"
        case revocationEndpoint = "revocation_endpoint"
        case pushedRequestEndpoint = "pushed_authorization_request_endpoint"
        case ca
        case authorizationParameters = "authorization_parameters"
        case tokenParameters = "token_parameters"
        case account
        case deviations

        /// The keys of an issuer that publishes no metadata.
        static let endpoints: [Key] = [
            .authorizationEndpoint, .tokenEndpoint, .jwksURI, .revocationEndpoint, .pushedRequestEndpoint,
        ]

        /// The values that presets ask for.
        static let values: [Key] = [
            .tenant, .tenantID, .domain, .realm, .region, .pool, .policy, .application, .server,
        ]
    }

    let context: DecodingContext
    /// Whether plain http passes on loopback.
    let allowsLoopbackHTTP: Bool

    /// The correct issuers, and the names of all, so that an app of a faulty issuer is not reported as well; no names
    /// for a value that is no list.
    func decode(_ node: YAMLNode) -> (issuers: [IssuerConfiguration], names: Set<String>?) {
        var lines: [String: UInt32] = [:]
        let issuers = context.list(node) { element -> IssuerConfiguration? in
            guard let reader = MappingReader<Key>(element, in: context) else { return nil }
            guard let name = reader.required(.name, "name the issuer; apps refer to it").flatMap({ context.text($0) })
            else { return nil }
            if name == AppRegistration.anyIssuer {
                context.error(
                    at: reader.mark(of: .name), "an issuer with the name \"any\", which stands for each issuer",
                    "give it another name")
            }
            if let line = lines.updateValue(element.mark.line, forKey: name) {
                context.error(
                    at: reader.mark(of: .name), "a second issuer with the name \"\(name)\"",
                    "give each its own name; the first is on line \(line)")
            }
            return issuer(named: name, reader)
        }
        return (issuers ?? [], issuers == nil ? nil : Set(lines.keys))
    }

    /// nil when something in it is wrong, which is reported.
    private func issuer(named name: String, _ file: MappingReader<Key>) -> IssuerConfiguration? {
        let errors = context.log.errorCount
        let preset = PresetUse(file)
        guard preset != nil || file[.preset] == nil else { return nil }
        let reader = IssuerKeys(file: file, preset: preset?.reader)
        let profile = self.profile(reader)
        let authority = file[.ca].flatMap { context.authorities($0) }
        let identifier = reader.required(.issuer, "write the issuer identifier, an https URL, or preset: NAME")
            .flatMap { self.identifier($0) }
        let isExplicit = Key.endpoints.contains { reader[$0] != nil }
        let metadata = isExplicit ? self.metadata(issuer: identifier?.text, reader) : nil
        guard let identifier, !isExplicit || metadata != nil else { return nil }
        if !isExplicit, identifier.text.contains(Self.placeholder) {
            context.error(
                at: reader.mark(of: .issuer), "nothing can be discovered at a template (\(identifier.text))",
                "write organizations, common or a tenant in its place, or name the endpoints")
            return nil
        }
        guard context.log.errorCount == errors else { return nil }
        return IssuerConfiguration(
            name: name, issuer: identifier.text, source: metadata.map { .configured($0) } ?? .discovery(identifier.url),
            trustAnchor: authority, rule: file[.issuer] == nil ? preset?.rule ?? .exactly : .exactly, profile: profile,
            preset: preset?.name)
    }

    /// The part of an issuer that changes requests and answers. Of the mappings, single keys of the file win over the
    /// preset's. Errors are reported.
    private func profile(_ reader: IssuerKeys) -> IssuerProfile {
        var profile = IssuerProfile()
        for node in [reader.preset?[.deviations], reader.file[.deviations]].compactMap(\.self) {
            profile.deviations = DeviationsSection.decode(node, over: profile.deviations, in: context) { endpoint($0) }
        }
        profile.authorizationParameters = parameters(.authorizationParameters, of: .authorization, reader)
        profile.tokenParameters = parameters(.tokenParameters, of: .token, reader)
        profile.account = reader[.account].flatMap { AccountSection.decode($0, in: context) { endpoint($0) } }
        return profile
    }

    private func parameters(_ key: Key, of target: ParameterTarget, _ reader: IssuerKeys) -> [FormField] {
        let own = reader.file[key].map { context.parameters($0, of: target) } ?? []
        let others = reader.preset?[key].map { context.parameters($0, of: target) } ?? []
        return own + others.filter { field in !own.contains { $0.name == field.name } }
    }

    private static let placeholder = "{tenantid}"

    /// The identifier as it is written, and its URL.
    private func identifier(_ node: YAMLNode) -> (text: String, url: EndpointURL)? {
        guard let text = context.text(node) else { return nil }
        // The placeholder is invalid in a URL. Every tenant name is one plain segment, so a sample replaces it.
        guard let url = endpoint(text.replacing(Self.placeholder, with: "tenant"), as: text, at: node.mark) else {
            return nil
        }
        guard !text.utf8.contains(UInt8(ascii: "?")) else {
            context.error(at: node.mark, "\"\(text)\" has a query", "an issuer identifier has none; leave it out")
            return nil
        }
        return (text, url)
    }

    /// The endpoints as the configuration gives them. `issuer` is nil when it was wrong, which has been reported.
    private func metadata(issuer: String?, _ reader: IssuerKeys) -> IssuerMetadata? {
        let remedy = "give authorization_endpoint and token_endpoint together, or neither for discovery"
        let authorization = reader.required(.authorizationEndpoint, remedy).flatMap { endpoint($0) }
        let token = reader.required(.tokenEndpoint, remedy).flatMap { endpoint($0) }
        let others = [Key.jwksURI, .revocationEndpoint, .pushedRequestEndpoint, .userInfoEndpoint].map { key in
            reader[key].map { endpoint($0) }
        }
        guard let issuer, let authorization, let token, !others.contains(.some(nil)) else { return nil }
        return IssuerMetadata(
            issuer: issuer, authorizationEndpoint: authorization, tokenEndpoint: token, jwksURI: others[0] ?? nil,
            revocationEndpoint: others[1] ?? nil, pushedRequestEndpoint: others[2] ?? nil,
            userInfoEndpoint: others[3] ?? nil)
    }

    private func endpoint(_ node: YAMLNode) -> EndpointURL? {
        context.text(node).flatMap { endpoint($0, as: $0, at: node.mark) }
    }

    private func endpoint(_ text: String, as written: String, at mark: Mark) -> EndpointURL? {
        do {
            return try EndpointURL(text, allowingLoopbackHTTP: allowsLoopbackHTTP)
        } catch {
            context.error(
                at: mark, "\"\(written)\" \(error)",
                "use https; plain http passes only on loopback, and only while public_url is loopback too")
            return nil
        }
    }
}

/// The keys of an issuer: those of the file, and behind them those of its preset.
struct IssuerKeys {
    let file: MappingReader<IssuersSection.Key>
    let preset: MappingReader<IssuersSection.Key>?

    /// A key in the file wins over the preset.
    subscript(key: IssuersSection.Key) -> YAMLNode? { file[key] ?? preset?[key] }

    /// The position of the key in the file, or of the mapping if the file lacks the key.
    func mark(of key: IssuersSection.Key) -> Mark { file.mark(of: key) }

    /// The value, or an error with the expected form.
    func required(_ key: IssuersSection.Key, _ remedy: String) -> YAMLNode? { self[key] ?? file.required(key, remedy) }
}

extension DecodingContext {
    /// A PEM file of certificates that are believed in addition.
    func authorities(_ node: YAMLNode) -> TrustAnchorFile? {
        let remedy = "name a PEM file with certificates of authorities"
        guard let (path, contents) = contents(node, maximum: Self.maximumPEMSize, remedy) else { return nil }
        let file = TrustAnchorFile(path: path, digest: SHA256Digest(of: contents.bytes))
        guard machine != nil else { return file }
        do {
            _ = try TrustAnchors(pem: [contents.bytes])
            return file
        } catch {
            self.error(at: node.mark, "\(path) cannot be used: \(error)", remedy)
            return nil
        }
    }
}

/// A file of certificates that are believed beside the system's.
public struct TrustAnchorFile: Hashable, Sendable {
    public let path: String
    /// The digest of the file when the configuration was read. A later version of the file may trust other authorities.
    let digest: SHA256Digest
}

/// An identity provider, as the configuration names it.
public struct IssuerConfiguration: Hashable, Sendable {
    /// The source of its endpoints.
    public enum Source: Hashable, Sendable {
        /// By the metadata document below this URL, the issuer's (OpenID Connect Discovery section 4).
        case discovery(EndpointURL)
        /// From the configuration.
        case configured(IssuerMetadata)
    }

    /// By which apps refer to it.
    public let name: String
    /// The issuer identifier, which may be a template where its endpoints are configured.
    public let issuer: String
    public let source: Source
    /// In PEM; nil for the system's alone.
    public let trustAnchor: TrustAnchorFile?
    /// The issuers that its metadata may name.
    public let rule: IssuerRule
    /// Its deviations, parameters and account endpoint.
    public let profile: IssuerProfile
    /// The name of its preset, if any.
    public let preset: String?

    /// Whether it stands for many tenants, so each app must list the accepted ones: a `{tenantid}` in the identifier,
    /// or `common` or `organizations` at any cloud of Microsoft Entra.
    public let isTemplate: Bool

    init(
        name: String, issuer: String, source: Source, trustAnchor: TrustAnchorFile?, rule: IssuerRule = .exactly,
        profile: IssuerProfile = .strict, preset: String? = nil
    ) {
        self.name = name
        self.issuer = issuer
        self.source = source
        self.trustAnchor = trustAnchor
        self.rule = rule
        self.profile = profile
        self.preset = preset
        isTemplate = issuer.contains("{tenantid}") || EntraHosts.isMultiTenant(issuer)
    }
}

extension IssuerConfiguration {
    /// Whether the issuer may break this rule: a key of `deviations:`.
    public func accepts(_ deviation: String) -> Bool {
        profile.deviations.accepted.contains { $0.rawValue == deviation }
    }
}
