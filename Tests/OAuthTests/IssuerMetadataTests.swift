import SwitchyardJSON
import SwitchyardOAuth
import Testing

@Suite("Issuer metadata") struct IssuerMetadataTests {
    private static let document: JSONObject = [
        "issuer": "https://id.example", "authorization_endpoint": "https://id.example/a",
        "token_endpoint": "https://id.example/t", "jwks_uri": "https://id.example/k",
        "authorization_response_iss_parameter_supported": true,
        "id_token_signing_alg_values_supported": ["RS256", "ES256"],
    ]

    @Test("a document is read")
    func document() throws {
        let metadata = try parse([:])
        #expect(metadata.issuer == "https://id.example")
        #expect(metadata.authorizationEndpoint.text == "https://id.example/a")
        #expect(metadata.tokenEndpoint.text == "https://id.example/t")
        #expect(metadata.jwksURI?.text == "https://id.example/k")
        #expect(metadata.authorizationResponseIssParameterSupported)
        #expect(metadata.idTokenSigningAlgorithms == ["RS256", "ES256"])
        #expect(metadata.expectedIssuer(tenants: []) == .exactly("https://id.example"))
    }

    @Test("optional members may be missing")
    func minimal() throws {
        let metadata = try parse([
            "jwks_uri": .null, "authorization_response_iss_parameter_supported": .null,
            "id_token_signing_alg_values_supported": .null,
        ])
        #expect(metadata.jwksURI == nil)
        #expect(!metadata.authorizationResponseIssParameterSupported)
        #expect(metadata.idTokenSigningAlgorithms == [])
    }

    @Test(
        "a document that cannot be used is refused for its reason",
        arguments: [
            (["issuer": .null], .missing(name: "issuer")), (["issuer": "https://id.example/"], .wrongIssuer),
            (["issuer": "https://evil.example"], .wrongIssuer), (["issuer": "https://{tenantid}"], nil),
            (["token_endpoint": .null], .missing(name: "token_endpoint")),
            (["authorization_endpoint": .null], .missing(name: "authorization_endpoint")),
            (["token_endpoint": "http://id.example/t"], .invalidEndpoint(name: "token_endpoint", .insecure)),
            (
                ["authorization_endpoint": "javascript:x"],
                .invalidEndpoint(name: "authorization_endpoint", .malformed(.unsafeScheme))
            ),
            (["jwks_uri": "http://localhost/k"], .invalidEndpoint(name: "jwks_uri", .insecure)),
            (["jwks_uri": "https://u:p@id.example/k"], .invalidEndpoint(name: "jwks_uri", .malformed(.userinfo))),
        ] as [(JSONObject, IssuerMetadataError?)])
    func refused(changes: JSONObject, error: IssuerMetadataError?) throws {
        guard let error else {
            _ = try parse(changes)
            return
        }
        #expect(throws: error) { try parse(changes) }
    }

    @Test(
        "Entra's template covers one segment of the issuer it was fetched for",
        arguments: [
            ("https://login.example/common/v2.0", true), ("https://login.example/organizations/v2.0", true),
            ("https://login.example/a/b/v2.0", false), ("https://login.example//v2.0", false),
            ("https://login.example/v2.0", false), ("https://evil.example/common/v2.0", false),
        ])
    func templates(issuer: String, accepted: Bool) throws {
        let template = "https://login.example/{tenantid}/v2.0"
        var document = Self.document
        document["issuer"] = .string(template)
        let metadata = try? IssuerMetadata.parse(document, expectedIssuer: issuer, allowingLoopbackHTTP: false)
        #expect((metadata != nil) == accepted)
        if let metadata {
            #expect(metadata.expectedIssuer(tenants: ["t"]) == .tenantTemplate(template, tenants: ["t"]))
        }
    }

    @Test("the issuer is the same bytes, and an address that is no string is a mistake")
    func exactly() throws {
        var document = Self.document
        document["issuer"] = "https://id.example/\u{212A}"
        #expect(throws: IssuerMetadataError.wrongIssuer) {
            try IssuerMetadata.parse(document, expectedIssuer: "https://id.example/K", allowingLoopbackHTTP: false)
        }
        #expect(throws: IssuerMetadataError.notText(name: "jwks_uri")) { try parse(["jwks_uri": 5]) }
    }

    private func parse(_ changes: JSONObject) throws -> IssuerMetadata {
        var document = Self.document
        for (name, value) in changes.members { document[name] = value == .null ? nil : value }
        return try .parse(document, expectedIssuer: "https://id.example", allowingLoopbackHTTP: false)
    }
}
