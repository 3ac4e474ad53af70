public import SwitchyardJSON
internal import SwitchyardText

/// The facts about an authorization server that a client needs which nobody configured (RFC 8414 section 2).
public struct AuthorizationServerMetadata: Hashable, Sendable {
    public let issuer: IssuerMetadata
    /// The endpoint where clients register themselves (RFC 7591).
    public let registrationEndpoint: EndpointURL?
    /// Whether the address of a client document may be a client ID (draft-ietf-oauth-client-id-metadata-document).
    public let takesClientDocuments: Bool
    /// Whether it says that it takes S256 challenges (RFC 7636). MCP forbids to go on without.
    public let takesS256: Bool
    /// nil if the metadata do not say.
    public let scopesSupported: Scopes?
    /// How clients may authenticate; `client_secret_basic` if the metadata do not say (RFC 8414 section 2).
    public let authenticationMethods: [String]

    /// Reads a document that was fetched for `issuer`, and that must name it byte for byte.
    public static func parse(
        _ json: JSONObject, issuer: String, allowingLoopbackHTTP: Bool
    ) throws(IssuerMetadataError) -> AuthorizationServerMetadata {
        guard let named = json["issuer"]?.string else { throw .missing(name: "issuer") }
        guard named.isExactly(issuer) else { throw .wrongIssuer }
        let metadata = try IssuerMetadata.parse(
            json, expectedIssuer: issuer, allowingLoopbackHTTP: allowingLoopbackHTTP)
        let methods = (json["token_endpoint_auth_methods_supported"]?.array)?.compactMap(\.string)
        return AuthorizationServerMetadata(
            issuer: metadata,
            registrationEndpoint: json["registration_endpoint"]?.string.flatMap {
                try? EndpointURL($0, allowingLoopbackHTTP: allowingLoopbackHTTP)
            },
            takesClientDocuments: json["client_id_metadata_document_supported"]?.bool ?? false,
            takesS256: (json["code_challenge_methods_supported"]?.array ?? []).contains { $0.string == "S256" },
            scopesSupported: json.scopes("scopes_supported"),
            authenticationMethods: methods ?? ["client_secret_basic"])
    }

    /// Where the metadata of an issuer may stand, in the order in which they are asked (MCP 2025-11-25, "Authorization Server
    /// Metadata Discovery"; for an issuer with a path three addresses).
    public static func addresses(of issuer: EndpointURL) -> [String] {
        let start = issuer.text.firstRange(of: "://")?.upperBound ?? issuer.text.startIndex
        let pathStart = issuer.text[start...].firstIndex(of: "/") ?? issuer.text.endIndex
        let (origin, rest) = (issuer.text[..<pathStart], issuer.text[pathStart...])
        let path = rest.hasSuffix("/") ? rest.dropLast() : rest
        let inserted = ["oauth-authorization-server", "openid-configuration"].map {
            "\(origin)/.well-known/\($0)\(path)"
        }
        return path.isEmpty ? inserted : inserted + ["\(origin)\(path)/.well-known/openid-configuration"]
    }
}
