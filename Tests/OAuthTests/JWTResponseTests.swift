import Crypto
import JSON
import OAuth
import Testing

@Suite("Authorization responses in a JWT (JARM section 2.1)") struct JWTResponseTests {
    private typealias Sample = SampleJWTResponse

    @Test("before anything is verified, only the state and what a signature check needs can be had")
    func state() throws {
        let response = try parse([:])
        #expect(response.state == Secret("xyz"))
        #expect(response.jws.algorithm == "RS256")
        #expect(response.jws.keyID == "k1")
    }

    @Test("claims that are not about the JWT become the parameters, in their order")
    func parameters() throws {
        let changes: JSONObject = [
            "iat": .integer(Sample.now), "nbf": .integer(Sample.now), "jti": "1", "session_state": "s",
            "expires_in": 3600, "new_user": true,
        ]
        let response = try validated(changes)
        guard case .code(let code) = response.outcome else { return #expect(Bool(false), "no code") }
        #expect(code == Secret("c0de"))
        #expect(response.issuer == "https://id.example")
        #expect(
            response.parameters == [
                FormField("code", "c0de"), FormField("state", "xyz"), FormField("session_state", "s"),
                FormField("expires_in", "3600"), FormField("new_user", "true"),
            ])
    }

    @Test(
        "a claim that has no one text is left out",
        arguments: [["x": 1.5], ["x": ["a"]], ["x": ["a": "b"]]] as [[String: JSONValue]])
    func noText(claims: [String: JSONValue]) throws {
        var changes = JSONObject()
        for (name, value) in claims { changes[name] = value }
        #expect(try validated(changes).parameters.map(\.name) == ["code", "state"])
    }

    @Test("null says nothing")
    func null() throws {
        var claims = Sample.claims()
        claims["error"] = .null
        claims["x"] = .null
        let response = try Sample.expectations.validate(.parse(compact: Sample.compact(claims)))
        #expect(response.parameters.map(\.name) == ["code", "state"])
    }

    @Test("an error is told as in a query, and its state is looked up the same way")
    func error() throws {
        let changes: JSONObject = [
            "code": .null, "error": "access_denied", "error_description": "A+B", "error_subcode": "cancel",
        ]
        guard case .error(let error) = try validated(changes).outcome else {
            return #expect(Bool(false), "no error")
        }
        #expect(error == AuthorizationError(error: "access_denied", errorDescription: "A+B", suberror: "cancel"))
    }

    @Test(
        "claims that are no authorization response are refused for their reason",
        arguments: [
            (["state": .null], .parameters(.missingState)), (["state": ""], .parameters(.missingState)),
            (["code": .null], .parameters(.neitherCodeNorError)), (["code": ""], .parameters(.neitherCodeNorError)),
            (["error": "x"], .parameters(.bothCodeAndError)), (["state": 1], .invalidClaim(name: "state")),
            (["code": true], .invalidClaim(name: "code")), (["error": ["x"]], .invalidClaim(name: "error")),
            (["code": ["a": "b"]], .invalidClaim(name: "code")), (["iss": .null], .invalidClaim(name: "iss")),
            (["iss": 1], .invalidClaim(name: "iss")), (["iss": ["https://id.example"]], .invalidClaim(name: "iss")),
            (["state": .string(String(repeating: "s", count: 513))], .parameters(.tooLarge)),
        ] as [(JSONObject, JWTResponseError)])
    func refused(changes: JSONObject, error: JWTResponseError) {
        #expect(throws: error) { try parse(changes) }
    }

    @Test("more claims than a query may have parameters are refused")
    func tooMany() {
        var claims = Sample.claims()
        for number in 0..<107 { claims["x\(number)"] = "1" }
        #expect(throws: JWTResponseError.parameters(.malformed(.tooManyFields))) {
            try UnverifiedJWTResponse.parse(compact: Sample.compact(claims))
        }
    }

    @Test("a name that stands twice in the claims is refused, whatever reader would take which")
    func duplicateClaim() {
        let claims = Base64URL.encode(Array(#"{"iss":"i","code":"a","state":"s","state":"t"}"#.utf8))
        #expect(throws: JWTResponseError.malformed) {
            try UnverifiedJWTResponse.parse(compact: "\(Sample.encode(["alg": "RS256"])).\(claims).AA")
        }
    }

    @Test(
        "what is no compact JWS is refused",
        arguments: [
            "", "a.b", "..", "e30.e30.AA", "eyJhbGciOiJub25lIn0.e30.", "eyJhbGciOiJSUzI1NiJ9.W10.AA",
            "eyJhbGciOiJSUzI1NiJ9.e30.A", "eyJhbGciOiJSUzI1NiJ9.e30.AA.AA", "eyJhbGciOiJSUzI1NiJ9.e30.AA==",
            "eyJhbGciOjF9.e30.AA", " eyJhbGciOiJSUzI1NiJ9.e30.AA", "a.b.c.d.e.f", "eyJhbGciOiJSUzI1NiJ9.e30.AA\n",
        ])
    func malformed(compact: String) {
        #expect(throws: JWTResponseError.malformed) { try UnverifiedJWTResponse.parse(compact: compact) }
    }

    @Test("an encrypted response is told apart")
    func encrypted() {
        let header = Sample.encode(["alg": "RSA-OAEP", "enc": "A256GCM"])
        #expect(throws: JWTResponseError.encrypted) {
            try UnverifiedJWTResponse.parse(compact: "\(header).AA.AA.AA.AA")
        }
    }

    @Test("an extension that must be understood is refused")
    func critical() {
        let compact = Sample.compact(header: ["alg": "RS256", "crit": ["b64"], "b64": false])
        #expect(throws: JWTResponseError.criticalHeader) { try UnverifiedJWTResponse.parse(compact: compact) }
    }

    @Test("a response over the limit is refused")
    func tooLarge() {
        let compact = Sample.compact() + String(repeating: "A", count: AuthorizationResponse.maximumLength)
        #expect(throws: JWTResponseError.tooLarge) { try UnverifiedJWTResponse.parse(compact: compact) }
    }

    @Test("neither the response nor an error prints a code or a state")
    func printing() throws {
        var dumped = ""
        dump(try parse(["code": "hunter2", "state": "hunter3"]), to: &dumped)
        #expect(!dumped.contains("hunter"))
        #expect(!dumped.contains(Sample.encode(Sample.claims(["code": "hunter2", "state": "hunter3"]))))
    }

    private func parse(_ changes: JSONObject) throws(JWTResponseError) -> UnverifiedJWTResponse {
        try .parse(compact: Sample.compact(Sample.claims(changes)))
    }

    private func validated(_ changes: JSONObject) throws -> AuthorizationResponse {
        try Sample.expectations.validate(parse(changes))
    }
}
