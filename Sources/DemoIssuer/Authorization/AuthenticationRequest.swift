internal import SwitchyardJSON
package import SwitchyardOAuth

/// An authorization request that can be granted (RFC 6749 section 4.1.1, OpenID Connect Core section 3.1.2.1).
package struct AuthenticationRequest: Sendable {
    package let parameters: RequestParameters
    package let returnAddress: ReturnAddress
    package let scopes: Scopes
    let nonce: String?
    /// nil only for a confidential client.
    let codeChallenge: String?
    package let loginHint: String?
    /// Whether the client wants no page (`prompt=none`).
    let forbidsInteraction: Bool
    /// The `claims` parameter (OpenID Connect Core section 5.5); nil without one.
    let claimsRequest: JSONObject?
    let wantsClientInfo: Bool

    /// - Parameter requiresChallenge: true for public clients, which can only prove by PKCE that a code is theirs.
    init(
        _ parameters: RequestParameters, _ returnAddress: ReturnAddress, requiresChallenge: Bool
    ) throws(AuthorizationRefusal) {
        guard parameters["response_type"] == "code" else { throw .unsupportedResponseType }
        guard let scopes = Scopes(validating: parameters["scope"] ?? "") else { throw .invalidScope }
        self.parameters = parameters
        self.returnAddress = returnAddress
        self.scopes = scopes
        codeChallenge = try Self.challenge(parameters, isRequired: requiresChallenge)
        do throws(ClaimsParameter.Unreadable) {
            claimsRequest = try ClaimsParameter.read(parameters)
        } catch {
            throw .invalidClaims
        }
        wantsClientInfo = TokenRequest.wantsClientInfo(parameters)
        nonce = parameters["nonce"]
        loginHint = parameters["login_hint"]
        forbidsInteraction = parameters["prompt"] == "none"
    }

    func grant(to user: DemoUser) -> Grant {
        Grant(
            clientID: returnAddress.clientID, redirectURI: returnAddress.redirectURI.text, scopes: scopes, nonce: nonce,
            codeChallenge: codeChallenge, user: user, claimsRequest: claimsRequest, wantsClientInfo: wantsClientInfo)
    }

    private static func challenge(
        _ parameters: RequestParameters, isRequired: Bool
    ) throws(AuthorizationRefusal) -> String? {
        guard let challenge = parameters["code_challenge"] else {
            if isRequired || parameters["code_challenge_method"] != nil { throw .invalidChallenge }
            return nil
        }
        // Without a method it would be `plain` (RFC 7636 section 4.3).
        guard parameters["code_challenge_method"] == "S256", PKCE.isChallenge(challenge) else {
            throw .invalidChallenge
        }
        return challenge
    }
}

/// The address for the authorization response. It is checked first, so that the client can be told of errors in the
/// rest of the request.
package struct ReturnAddress: Sendable {
    /// The reason why the client can get no answer. The raw value is a sentence for the page (RFC 6749 section
    /// 4.1.2.1).
    enum AddressError: String, Error {
        case noClientID = "The request has no client_id."
        case noRedirectURI = "The request has no redirect_uri."
        case brokenRedirectURI = "The redirect_uri is no address that a browser could be sent to."
        case unknownResponseMode = "The response_mode is none that is supported here."
    }

    package let clientID: String
    let redirectURI: ClientRedirectURI
    let responseMode: ResponseMode
    let state: String?

    init(_ parameters: RequestParameters) throws(AddressError) {
        guard let clientID = parameters["client_id"] else { throw .noClientID }
        guard let redirectURI = parameters["redirect_uri"] else { throw .noRedirectURI }
        guard let redirectURI = ClientRedirectURI(redirectURI) else { throw .brokenRedirectURI }
        guard let mode = ResponseMode(rawValue: parameters["response_mode"] ?? "query") else {
            throw .unknownResponseMode
        }
        self.clientID = clientID
        self.redirectURI = redirectURI
        responseMode = mode
        state = parameters["state"]
    }
}

/// A redirect URI as a client gave it. The demo issuer has no registrations, so it accepts each URI that a browser
/// could be sent to.
struct ClientRedirectURI: Sendable {
    let text: String

    /// Schemes that run code in the page that holds the link.
    private static let scriptSchemes = ["javascript", "data", "vbscript"]

    /// nil without a scheme (RFC 3986 section 3.1), with a fragment (RFC 6749 section 3.1.2), or with
    /// anything but visible ASCII.
    init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":"), text.index(after: colon) < text.endIndex,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !text.contains("#")
        else { return nil }
        let scheme = text[..<colon].lowercased()
        guard let first = scheme.first, first.isLetter, scheme.dropFirst().allSatisfy(Self.isSchemeCharacter),
            !Self.scriptSchemes.contains(scheme)
        else { return nil }
        self.text = text
    }

    private static func isSchemeCharacter(_ character: Character) -> Bool {
        character.isLetter || character.isWholeNumber || "+-.".contains(character)
    }
}

/// An error that the client is told through the browser (RFC 6749 section 4.1.2.1, OpenID Connect Core
/// section 3.1.2.6).
package struct AuthorizationRefusal: Error, Sendable {
    let error: String
    let description: String
    /// As Microsoft's issuers say it more exactly.
    let subcode: String?

    package init(error: String, description: String, subcode: String? = nil) {
        self.error = error
        self.description = description
        self.subcode = subcode
    }

    package static let accessDenied = AuthorizationRefusal(
        error: "access_denied", description: "The request was denied.")
    static let loginRequired = AuthorizationRefusal(
        error: "login_required", description: "Nobody can be signed in without being asked.")
    static let unsupportedResponseType = AuthorizationRefusal(
        error: "unsupported_response_type", description: "The response_type must be code.")
    static let invalidScope = AuthorizationRefusal(
        error: "invalid_scope", description: "The scope has a character that is not allowed.")
    static let invalidChallenge = AuthorizationRefusal(
        error: "invalid_request",
        description: "A code_challenge with the method S256 is required, 43 characters of base64url.")
    static let invalidClaims = AuthorizationRefusal(
        error: "invalid_request", description: "The parameter claims is no JSON object.")
}
