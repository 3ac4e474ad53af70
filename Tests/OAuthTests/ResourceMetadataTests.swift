import SwitchyardJSON
import SwitchyardOAuth
import Testing

@Suite("Metadata of resources and authorization servers") struct ResourceMetadataTests {
    private static func parse(
        _ json: JSONObject, for asked: String = "https://a.example/mcp"
    ) throws -> ProtectedResourceMetadata {
        try ProtectedResourceMetadata.parse(
            json, for: try ResourceURL(asked, allowingLoopbackHTTP: false), allowingLoopbackHTTP: false)
    }

    @Test("a resource's document is read")
    func resource() throws {
        let metadata = try Self.parse([
            "resource": "https://a.example/", "authorization_servers": ["https://id.example", "https://other.example"],
            "scopes_supported": ["read", "two words", "write"], "dpop_bound_access_tokens_required": true,
        ])
        #expect(metadata.resource.text == "https://a.example/")
        #expect(metadata.authorizationServers == ["https://id.example", "https://other.example"])
        #expect(metadata.scopesSupported?.text == "read write")
        #expect(metadata.requiresDPoP)
    }

    @Test(
        "a document of another resource, or of none, is refused",
        arguments: [
            (JSONObject(), .missing(name: "resource")),
            (["resource": "https://a.example/mcp"], .missing(name: "authorization_servers")),
            (
                ["resource": "https://a.example/mcp", "authorization_servers": []],
                .missing(name: "authorization_servers")
            ),
            (["resource": "https://b.example/mcp", "authorization_servers": ["https://id.example"]], .otherResource),
            (["resource": "https://a.example/mc", "authorization_servers": ["https://id.example"]], .otherResource),
            (["resource": "https://a.example/mcp/x", "authorization_servers": ["https://id.example"]], .otherResource),
        ] as [(JSONObject, ProtectedResourceMetadataError)])
    func refused(json: JSONObject, error: ProtectedResourceMetadataError) {
        #expect(throws: error) { try Self.parse(json) }
    }

    @Test(
        "an authorization server's metadata stand at three addresses, or at two without a path",
        arguments: [
            (
                "https://id.example",
                [
                    "https://id.example/.well-known/oauth-authorization-server",
                    "https://id.example/.well-known/openid-configuration",
                ]
            ),
            (
                "https://id.example/",
                [
                    "https://id.example/.well-known/oauth-authorization-server",
                    "https://id.example/.well-known/openid-configuration",
                ]
            ),
            (
                "https://id.example/tenant1",
                [
                    "https://id.example/.well-known/oauth-authorization-server/tenant1",
                    "https://id.example/.well-known/openid-configuration/tenant1",
                    "https://id.example/tenant1/.well-known/openid-configuration",
                ]
            ),
        ])
    func addresses(issuer: String, addresses: [String]) throws {
        let url = try EndpointURL(issuer, allowingLoopbackHTTP: false)
        #expect(AuthorizationServerMetadata.addresses(of: url) == addresses)
    }

    private static let server: JSONObject = [
        "issuer": "https://id.example", "authorization_endpoint": "https://id.example/a",
        "token_endpoint": "https://id.example/t", "registration_endpoint": "https://id.example/r",
        "code_challenge_methods_supported": ["plain", "S256"], "client_id_metadata_document_supported": true,
        "scopes_supported": ["offline_access"],
    ]

    @Test("an authorization server's document is read")
    func authorizationServer() throws {
        let metadata = try AuthorizationServerMetadata.parse(
            Self.server, issuer: "https://id.example", allowingLoopbackHTTP: false)
        #expect(metadata.registrationEndpoint?.text == "https://id.example/r")
        #expect(metadata.takesClientDocuments)
        #expect(metadata.takesS256)
        #expect(metadata.scopesSupported?.text == "offline_access")
        #expect(metadata.authenticationMethods == ["client_secret_basic"])
    }

    @Test(
        "an issuer is compared byte for byte: a template, a slash or a case is another one",
        arguments: ["https://id.example/", "https://ID.example", "https://id.example:443", "https://{tenantid}"])
    func otherIssuer(issuer: String) {
        var json = Self.server
        json["issuer"] = .string(issuer)
        #expect(throws: IssuerMetadataError.wrongIssuer) {
            try AuthorizationServerMetadata.parse(json, issuer: "https://id.example", allowingLoopbackHTTP: false)
        }
    }

    @Test("a feature that a server does not name counts as missing")
    func silent() throws {
        var json = Self.server
        for name in [
            "code_challenge_methods_supported", "client_id_metadata_document_supported", "registration_endpoint",
        ] {
            json[name] = .null
        }
        let metadata = try AuthorizationServerMetadata.parse(
            json, issuer: "https://id.example", allowingLoopbackHTTP: false)
        #expect(!metadata.takesS256)
        #expect(!metadata.takesClientDocuments)
        #expect(metadata.registrationEndpoint == nil)
    }
}

@Suite("Bearer challenges") struct BearerChallengeTests {
    @Test("the challenge of a 401 is read, also behind others")
    func read() throws {
        let header =
            #"Basic realm="x", Bearer error="insufficient_scope", scope="a b", "#
            + #"resource_metadata="https://a.example/.well-known/oauth-protected-resource/mcp""#
        let challenge = try #require(try BearerChallenge(wwwAuthenticate: header))
        #expect(challenge.asksForMoreScope)
        #expect(challenge.scope?.text == "a b")
        #expect(challenge.resourceMetadata == "https://a.example/.well-known/oauth-protected-resource/mcp")
    }

    @Test("a header without such a challenge has none", arguments: ["Basic realm=\"x\"", "Negotiate", ""])
    func none(header: String) throws {
        #expect(try BearerChallenge(wwwAuthenticate: header) == nil)
    }

    @Test(
        "a malformed header is refused",
        arguments: ["Bearer scope=\"a", "Bearer a=1 b=2", "Bearer scope=\"a\", scope=\"b\""])
    func malformed(header: String) {
        #expect(throws: BearerChallengeError.unreadable) { try BearerChallenge(wwwAuthenticate: header) }
    }

    @Test("a scope that is none is refused")
    func scope() {
        #expect(throws: BearerChallengeError.invalidScope) {
            try BearerChallenge(wwwAuthenticate: "Bearer scope=\"a\u{7}b\"")
        }
    }
}
