import SwitchyardCrypto
import SwitchyardJOSE
import SwitchyardJSON
import Testing

@testable import SwitchyardOAuth

@Suite("What a client signs") struct ClientAssertionTests {
    private static let issuer = "https://id.contoso.com"

    private func metadata() throws -> IssuerMetadata {
        try IssuerMetadata.parse(
            [
                "issuer": .string(Self.issuer), "authorization_endpoint": .string("\(Self.issuer)/authorize"),
                "token_endpoint": .string("\(Self.issuer)/token"),
                "token_endpoint_auth_signing_alg_values_supported": ["ES256", 7],
                "request_object_signing_alg_values_supported": ["PS256"],
            ], expectedIssuer: Self.issuer, allowingLoopbackHTTP: false)
    }

    private func key() throws -> SigningKey { try #require(SigningKey(generating: .p256)) }

    private func assertion(
        _ authentication: ClientAuthentication, deviations: Deviations = .none
    ) throws -> CompactJWS {
        let credentials = try authentication.credentials(
            of: "one", for: ClientAudience(try metadata(), deviations, now: 1000))
        #expect(credentials.headers.isEmpty)
        let fields = Dictionary(uniqueKeysWithValues: credentials.fields)
        #expect(fields["client_id"] == "one")
        #expect(fields["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
        #expect(Set(fields.keys) == ["client_id", "client_assertion", "client_assertion_type"])
        return try CompactJWS(try #require(fields["client_assertion"]))
    }

    private func claims(_ jws: CompactJWS) throws -> JSONObject {
        try #require(JSONValue.parse(jws.payload).object)
    }

    @Test("the metadata name the algorithms")
    func announced() throws {
        #expect(try metadata().clientSigningAlgorithms == ["ES256"])
        #expect(try metadata().requestSigningAlgorithms == ["PS256"])
    }

    @Test("an assertion names the client, the issuer and a minute, and is new each time")
    func keyed() throws {
        let key = try key()
        let (first, second) = (
            try claims(try assertion(.privateKeyJWT(key))), try claims(try assertion(.privateKeyJWT(key)))
        )
        #expect(first["iss"] == "one" && first["sub"] == "one" && first["aud"] == .string(Self.issuer))
        #expect(first["iat"] == 1000 && first["exp"] == 1060)
        #expect(Base64URL.decode(try #require(first["jti"]?.string))?.count == 16)
        #expect(first["jti"] != second["jti"])
        let header = try assertion(.privateKeyJWT(key)).header
        #expect(header == ["typ": "client-authentication+jwt", "kid": .string(key.id), "alg": "ES256"])
    }

    @Test("for a token endpoint the type and the audience are the older ones")
    func forEndpoint() throws {
        var deviations = Deviations.none
        deviations.addressesTokenEndpoint = true
        let jws = try assertion(.privateKeyJWT(try key()), deviations: deviations)
        #expect(jws.header["typ"] == "JWT")
        #expect(try claims(jws)["aud"] == .string("\(Self.issuer)/token"))
    }

    @Test("a secret signs, and is not sent")
    func secret() throws {
        let jws = try assertion(.clientSecretJWT(Secret([UInt8](repeating: 7, count: 32))))
        #expect(jws.header == ["typ": "client-authentication+jwt", "alg": "HS256"])
        #expect(throws: SignInFailure.self) {
            try ClientAuthentication.clientSecretJWT(Secret("short"))
                .credentials(of: "one", for: ClientAudience(try metadata(), .none, now: 0))
        }
    }

    private func request() throws -> AuthorizationRequest {
        let metadata = try metadata()
        var request = AuthorizationRequest(
            authorizationEndpoint: metadata.authorizationEndpoint, clientID: "one",
            redirectURI: try RedirectURI("https://login.contoso.com/a"), scope: Scopes(parsing: "mail"), state: "s",
            codeChallenge: "c", claims: #"{"id_token":{}}"#,
            extra: [("resource", "a"), ("resource", "b"), ("sub", "one"), ("aud", "evil"), ("purpose", "7")])
        request.stepUp = StepUp(acrValues: "a", maxAge: 5, authorizationDetails: #"[{"type":"t"}]"#)
        request.signing = RequestSigning(with: try key(), for: metadata, expires: 2000)
        return request
    }

    @Test("a signed request goes out as the client ID and the object")
    func signed() throws {
        let request = try #require(try request().signed(now: 1000))
        #expect(request.sent.map(\.0) == ["client_id", "request"])
        let object = try claims(try CompactJWS(request.sent[1].1))
        #expect(object["iss"] == "one" && object["client_id"] == "one" && object["aud"] == .string(Self.issuer))
        #expect(object["iat"] == 1000 && object["nbf"] == 1000 && object["exp"] == 2000 && object["sub"] == nil)
        #expect(object["max_age"] == 5 && object["claims"] == ["id_token": [:]] && object["purpose"] == "7")
        #expect(object["authorization_details"] == [["type": "t"]] && object["resource"] == ["a", "b"])
        #expect(object["code_challenge_method"] == "S256" && object["state"] == "s")
    }

    @Test("without its object a signed request is never sent plainly")
    func unsigned() throws {
        let request = try request()
        #expect(request.sent.map(\.0) == ["client_id", "request"] && request.sent[1].1.isEmpty)
        #expect(!request.url.contains("state="))
    }
}
