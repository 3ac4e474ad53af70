internal import SwitchyardJOSE
public import SwitchyardJSON
internal import SwitchyardText

/// The facts about an issuer that a gateway needs, from its metadata (OpenID Connect Discovery section 3, RFC 8414
/// section 2) or from the configuration.
public struct IssuerMetadata: Hashable, Sendable {
    /// The issuer identifier as the document states it; it holds `{tenantid}` when ``isTemplate``.
    public let issuer: String
    public let authorizationEndpoint: EndpointURL
    public let tokenEndpoint: EndpointURL
    /// nil for an issuer that makes no ID tokens.
    public let jwksURI: EndpointURL?
    /// The endpoint for revoking tokens (RFC 7009); nil if the issuer does not offer it.
    public let revocationEndpoint: EndpointURL?
    /// OpenID Connect Core section 5.3; nil if the issuer does not offer it.
    public let userInfoEndpoint: EndpointURL?
    /// The endpoint for pushed authorization requests (RFC 9126 section 5); nil if the issuer does not offer it.
    public let pushedRequestEndpoint: EndpointURL?
    /// The endpoints for clients that show a certificate (RFC 8705 section 5).
    public let mutualTLSAliases: MutualTLSAliases
    /// Whether the issuer takes pushed authorization requests only.
    public let requiresPushedRequests: Bool
    /// Whether the address of a client document may be a client ID (draft-ietf-oauth-client-id-metadata-document).
    public let takesClientDocuments: Bool
    /// Whether the issuer says that it takes our proofs of possession, and so can bind tokens to a key (RFC 9449 section 5.1).
    public let takesProofs: Bool
    /// Whether every authorization response carries `iss` (RFC 9207 section 3).
    public let authorizationResponseIssParameterSupported: Bool
    /// The algorithms that the issuer says it signs ID tokens with; empty when it does not say. A hint, never an
    /// allow-list.
    public let idTokenSigningAlgorithms: [String]
    /// The algorithms of client assertions that the issuer says it takes; empty when it does not say.
    public let clientSigningAlgorithms: [String]
    /// The algorithms of request objects that the issuer says it takes; empty when it does not say.
    public let requestSigningAlgorithms: [String]

    public init(
        issuer: String, authorizationEndpoint: EndpointURL, tokenEndpoint: EndpointURL, jwksURI: EndpointURL? = nil,
        revocationEndpoint: EndpointURL? = nil, pushedRequestEndpoint: EndpointURL? = nil,
        userInfoEndpoint: EndpointURL? = nil, mutualTLSAliases: MutualTLSAliases = MutualTLSAliases(),
        requiresPushedRequests: Bool = false, takesClientDocuments: Bool = false, takesProofs: Bool = false,
        authorizationResponseIssParameterSupported: Bool = false,
        idTokenSigningAlgorithms: [String] = [], clientSigningAlgorithms: [String] = [],
        requestSigningAlgorithms: [String] = []
    ) {
        self.issuer = issuer
        isTemplate = ExpectedIssuer.split(issuer) != nil
        self.authorizationEndpoint = authorizationEndpoint
        self.tokenEndpoint = tokenEndpoint
        self.jwksURI = jwksURI
        self.revocationEndpoint = revocationEndpoint
        self.userInfoEndpoint = userInfoEndpoint
        self.pushedRequestEndpoint = pushedRequestEndpoint
        self.mutualTLSAliases = mutualTLSAliases
        self.requiresPushedRequests = requiresPushedRequests
        self.takesClientDocuments = takesClientDocuments
        self.takesProofs = takesProofs
        self.authorizationResponseIssParameterSupported = authorizationResponseIssParameterSupported
        self.idTokenSigningAlgorithms = idTokenSigningAlgorithms
        self.clientSigningAlgorithms = clientSigningAlgorithms
        self.requestSigningAlgorithms = requestSigningAlgorithms
    }

    /// Reads a metadata document that was fetched for `expectedIssuer`.
    ///
    /// The document must name that issuer byte for byte, or be Microsoft Entra's for many tenants: the same address
    /// with `{tenantid}` instead of one segment, such as `common` or `organizations`. `rule` may allow further issuers.
    public static func parse(
        _ json: JSONObject, expectedIssuer: String, rule: IssuerRule = .exactly, allowingLoopbackHTTP: Bool
    ) throws(IssuerMetadataError) -> IssuerMetadata {
        guard let issuer = json["issuer"]?.string else { throw .missing(name: "issuer") }
        guard issuer.isExactly(expectedIssuer) || covers(template: issuer, expectedIssuer) || rule.accepts(issuer)
        else {
            throw .wrongIssuer
        }
        func endpoint(_ name: String) throws(IssuerMetadataError) -> EndpointURL? {
            guard let value = json[name], value != .null else { return nil }
            guard let text = value.string else { throw .notText(name: name) }
            do throws(EndpointURLError) {
                return try EndpointURL(text, allowingLoopbackHTTP: allowingLoopbackHTTP)
            } catch {
                throw .invalidEndpoint(name: name, error)
            }
        }
        guard let authorization = try endpoint("authorization_endpoint") else {
            throw .missing(name: "authorization_endpoint")
        }
        guard let token = try endpoint("token_endpoint") else { throw .missing(name: "token_endpoint") }
        func algorithms(_ name: String) -> [String] { json[name]?.array?.compactMap(\.string) ?? [] }
        return IssuerMetadata(
            issuer: issuer, authorizationEndpoint: authorization, tokenEndpoint: token,
            jwksURI: try endpoint("jwks_uri"),
            // No sign-in needs it, so a malformed one counts as absent.
            revocationEndpoint: try? endpoint("revocation_endpoint"),
            // Wanted by few apps. One that wants it is told that it is missing.
            pushedRequestEndpoint: try? endpoint("pushed_authorization_request_endpoint"),
            userInfoEndpoint: try? endpoint("userinfo_endpoint"),
            mutualTLSAliases: MutualTLSAliases(json, allowingLoopbackHTTP: allowingLoopbackHTTP),
            requiresPushedRequests: json.demands("require_pushed_authorization_requests"),
            takesClientDocuments: json["client_id_metadata_document_supported"]?.bool ?? false,
            takesProofs: algorithms("dpop_signing_alg_values_supported").contains(SigningAlgorithm.es256.rawValue),
            authorizationResponseIssParameterSupported: json.demands("authorization_response_iss_parameter_supported"),
            idTokenSigningAlgorithms: algorithms("id_token_signing_alg_values_supported"),
            clientSigningAlgorithms: algorithms("token_endpoint_auth_signing_alg_values_supported"),
            requestSigningAlgorithms: algorithms("request_object_signing_alg_values_supported"))
    }

    /// Whether ``issuer`` stands for many tenants; then an app must list the ones it accepts.
    public let isTemplate: Bool

    /// The issuer that ID tokens of an app with these `tenants` must name.
    public func expectedIssuer(tenants: TenantRule) -> ExpectedIssuer {
        isTemplate ? .tenantTemplate(issuer, tenants: tenants) : .exactly(issuer)
    }

    /// How the authorization responses to an app with these `tenants` must name their issuer.
    public func identification(tenants: TenantRule) -> IssuerIdentification {
        IssuerIdentification(
            expected: expectedIssuer(tenants: tenants), isRequired: authorizationResponseIssParameterSupported)
    }

    private static func covers(template: String, _ issuer: String) -> Bool {
        guard let (before, after) = ExpectedIssuer.split(template), issuer.utf8.starts(with: before.utf8),
            issuer.utf8.reversed().starts(with: after.utf8.reversed()),
            issuer.utf8.count > before.utf8.count + after.utf8.count
        else { return false }
        return !issuer.utf8.dropFirst(before.utf8.count).dropLast(after.utf8.count).contains(UInt8(ascii: "/"))
    }
}

/// The reason why an issuer's metadata cannot be used.
public enum IssuerMetadataError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The document is for another issuer than expected (OpenID Connect Discovery section 4.3).
    case wrongIssuer
    case missing(name: String)
    /// It is no string.
    case notText(name: String)
    case invalidEndpoint(name: String, EndpointURLError)

    public var description: String {
        switch self {
        case .wrongIssuer: "the metadata is of another issuer"
        case .missing(let name): "the metadata lacks \(name)"
        case .notText(let name): "the \(name) of the metadata is no string"
        case .invalidEndpoint(let name, let error): "the \(name) of the metadata \(error)"
        }
    }
}
