import SwitchyardCrypto
import SwitchyardJOSE
import SwitchyardJSON
import Testing

@testable import SwitchyardOAuth

@Suite("Grants of resources") struct ResourceGrantTests {
    private static let members: JSONObject = [
        "issuer": "https://id.example", "authorization_endpoint": "https://id.example/authorize",
        "token_endpoint": "https://id.example/token", "jwks_uri": "https://id.example/keys",
        "revocation_endpoint": "https://id.example/revoke",
        "pushed_authorization_request_endpoint": "https://id.example/par",
        "require_pushed_authorization_requests": true,
        "authorization_response_iss_parameter_supported": true,
        "token_endpoint_auth_signing_alg_values_supported": ["ES256", "PS256"],
        "mtls_endpoint_aliases": [
            "token_endpoint": "https://mtls.id.example/token", "revocation_endpoint": "https://mtls.id.example/revoke",
        ],
    ]

    private func grant(
        _ authentication: ClientAuthentication, bindsTokens: Bool = false, without name: String? = nil
    ) throws -> ResourceGrant {
        var members = Self.members
        if let name { members[name] = nil }
        return ResourceGrant(
            resource: "https://api.example/", asked: "https://api.example/a", sendsResource: true,
            metadata: try IssuerMetadata.parse(
                members, expectedIssuer: "https://id.example", allowingLoopbackHTTP: false),
            clientID: "client", authentication: authentication, bindsTokens: bindsTokens)
    }

    @Test(
        "a sealed grant comes back whole",
        arguments: [
            ClientAuthentication.none, .clientSecretPost(Secret("a secret")), .clientSecretBasic(Secret("a secret")),
        ])
    func sealed(authentication: ClientAuthentication) throws {
        for bindsTokens in [false, true] {
            let grant = try grant(authentication, bindsTokens: bindsTokens)
            let read = try #require(ResourceGrant(grant.sealable))
            #expect(read == grant && read.keyMethod == nil && read.digest == grant.digest)
            #expect(
                read.metadata.requiresPushedRequests && read.metadata.clientSigningAlgorithms == ["ES256", "PS256"])
        }
    }

    @Test("the key of a client is no part of a sealed grant, which names the method alone")
    func key() throws {
        let key = try #require(SigningKey(generating: .p256))
        let grant = try grant(.privateKeyJWT(key))
        let pem = try #require(key.pem).exposedText.split(separator: "\n")[1]
        #expect(!grant.sealable.exposedText.contains(pem))
        let read = try #require(ResourceGrant(grant.sealable))
        #expect(read.authentication == .none && read.keyMethod == "private_key_jwt")
        // Sealed once more, as an agent does, it still knows the method.
        #expect(ResourceGrant(read.sealable) == read)
    }

    @Test(
        "issuers that differ in an endpoint for pushes, revocations or certificates are two",
        arguments: [
            "pushed_authorization_request_endpoint", "require_pushed_authorization_requests", "mtls_endpoint_aliases",
            "token_endpoint_auth_signing_alg_values_supported", "revocation_endpoint",
        ])
    func digest(name: String) throws {
        #expect(try grant(.none).digest != grant(.none, without: name).digest)
    }

    @Test("a method that is not known here is no grant")
    func unknown() throws {
        var object = try #require(try JSONValue.parse(grant(.none).sealable.exposedBytes).object)
        object["method"] = "attest_jwt_client_auth"
        #expect(ResourceGrant(Secret(JSONValue.object(object).serialized)) == nil)
    }
}
