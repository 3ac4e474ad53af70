internal import SwitchyardJSON

/// A Client ID Metadata Document (draft-ietf-oauth-client-id-metadata-document-00 section 4): it describes a client to
/// issuers that have no registration of it. Its address is the client ID.
public struct ClientDocument: Hashable, Sendable {
    /// The largest document that an issuer must take (the same, section 6.6).
    public static let maximumBytes = 5 * 1024

    /// The address, byte for byte.
    public let address: String
    /// For the people that see the issuer's consent page.
    public let name: String
    public let home: String
    public let redirectURIs: [RedirectURI]
    public let scope: Scopes
    /// The name of the client's authentication (RFC 7591 section 2).
    public var authentication = "none"
    /// The address of its key set; nil for a client without keys.
    public var keys: String?
    /// The address of its logo; nil without one.
    public var logo: String?
    /// Whether all its tokens are bound to a key (RFC 9449 section 5.2).
    public var bindsTokens = false

    public init(address: String, name: String, home: String, redirectURIs: [RedirectURI], scope: Scopes) {
        self.address = address
        self.name = name
        self.home = home
        self.redirectURIs = redirectURIs
        self.scope = scope
    }

    public var content: [UInt8] {
        let isWeb = redirectURIs.contains { uri in if case .https = uri.form { true } else { false } }
        var document: JSONObject = [
            "client_id": .string(address), "client_name": .string(name), "client_uri": .string(home),
            "redirect_uris": .array(redirectURIs.map { .string($0.text) }),
            "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"],
            "token_endpoint_auth_method": .string(authentication), "application_type": isWeb ? "web" : "native",
        ]
        document["logo_uri"] = logo.map { .string($0) }
        document["jwks_uri"] = keys.map { .string($0) }
        if bindsTokens { document["dpop_bound_access_tokens"] = true }
        if !scope.isEmpty { document["scope"] = .string(scope.text) }
        return JSONValue.object(document).serialized
    }

    /// Whether an issuer may be told of the redirect URI: custom schemes belong to nobody.
    public static func takes(_ uri: RedirectURI) -> Bool {
        if case .customScheme = uri.form { false } else { true }
    }
}
