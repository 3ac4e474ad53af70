internal import SwitchyardCrypto
internal import SwitchyardHTTPClient
internal import SwitchyardJOSE
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardText

/// The content of a userinfo endpoint's answer (OpenID Connect Core section 5.3.2).
enum UserInfoContent: Sendable {
    case claims(JSONObject)
    /// A JWT in compact form, unverified.
    case signed(String)
}

extension Redeemer {
    /// The userinfo endpoint, for a request that wants its claims; nil for another one.
    /// - Throws: ``SignInFailure`` where the issuer has none: then the code must not be spent.
    static func userInfoEndpoint(
        for request: RedemptionRequest, _ metadata: IssuerMetadata
    ) throws(SignInFailure) -> EndpointURL? {
        guard request.wantsUserInfo else { return nil }
        guard let endpoint = metadata.endpoints(for: request.authentication).userInfo else {
            throw SignInFailure(
                .invalidResponse, internalCode: .userInfo,
                description: "the issuer's metadata have no userinfo_endpoint, and the app has userinfo")
        }
        return endpoint
    }

    /// The claims of the userinfo endpoint about the person of a verified ID token.
    /// - Throws: ``SignInFailure`` with the internal code `userinfo` if the endpoint fails or speaks of another person.
    func userInfo(
        at endpoint: EndpointURL, by accessToken: Secret, about claims: JSONObject?, _ request: RedemptionRequest,
        _ metadata: IssuerMetadata
    ) async throws(SignInFailure) -> JSONObject {
        do throws(SignInFailure) {
            guard let subject = claims?["sub"]?.string else {
                throw SignInFailure(
                    .invalidResponse, description: "without an ID token nothing says whose the claims are")
            }
            let content = try await use(
                accessToken, at: endpoint, of: request.expectations.issuer, for: .userInfo,
                accepting: "application/json, application/jwt", proving: request.binding, request.authentication
            ) { answer throws(SignInFailure) in try answer.userInfo() }
            let found: JSONObject
            switch content {
            case .claims(let members): found = members
            case .signed(let compact): found = try await verifiedUserInfo(compact, request, metadata)
            }
            guard let told = found["sub"]?.string, told.isExactly(subject) else {
                throw Self.wrong("tells of another person than the ID token (sub)")
            }
            return found
        } catch {
            var failure = error
            failure.code = .invalidResponse
            failure.internalCode = .userInfo
            throw failure
        }
    }

    private func verifiedUserInfo(
        _ compact: String, _ request: RedemptionRequest, _ metadata: IssuerMetadata
    ) async throws(SignInFailure) -> JSONObject {
        let expected = request.expectations
        guard let token = try? expected.decryption.parse(compact, nil) else {
            throw Self.wrong("sends an unreadable JWT")
        }
        let verification: Result<VerifiedJWT, SignatureError>
        do throws(IssuerUnavailableError) {
            verification = try await verifySignature(
                of: token, expected.issuer, metadata, expected.issuer.settings.profile.deviations.idTokenAlgorithms,
                secret: request.authentication.secret)
        } catch {
            throw SignInFailure(error)
        }
        let claims: JSONObject
        do throws(SignatureError) {
            claims = try verification.get().claims
        } catch {
            throw Self.wrong("sends a JWT that does not verify: \(error)")
        }
        let expectations = UserInfoExpectations(
            issuer: metadata.expectedIssuer(tenants: expected.tenants), clientID: expected.clientID,
            now: time.wall().seconds, clockSkew: expected.issuer.settings.clockSkew)
        guard let problem = expectations.problem(in: claims) else { return claims }
        throw Self.wrong("sends a JWT \(problem)")
    }

    private static func wrong(_ what: String) -> SignInFailure {
        var failure = SignInFailure(.invalidResponse, description: "the userinfo endpoint \(what)")
        failure.obstacle = .named(.wrongAnswer)
        return failure
    }
}
