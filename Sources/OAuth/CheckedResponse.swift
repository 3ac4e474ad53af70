public import SwitchyardCrypto
public import SwitchyardJOSE

/// The parameters of a callback as they came. So far only the state may be used.
///
/// A request may believe a ``CheckedResponse`` alone. These are the only steps to one: ``matched(redirectURI:state:)``
/// with the request that the state belongs to, then the check of the issuer. Values; safe from any thread.
public struct UncheckedResponse: Sendable {
    enum Content: Sendable {
        case plain(AuthorizationResponse)
        case signed(SignedResponse)
    }

    let content: Content
    /// Everything that came, in its order.
    let parameters: [FormField]
    /// The form of the address that the callback came to.
    let form: RedirectURI.Form
    /// The digest of the state, by which the request is found.
    public let stateHash: SHA256Digest

    /// Reads the query (without `?`) and, of a form post, the content.
    /// - Parameters:
    ///   - isSigned: whether the response was asked for as one signed JWT (JARM).
    ///   - decryption: of the app; nil where its responses are only signed.
    ///   - names: the provider's own names of parameters, for a plain response.
    ///   - form: where the callback came.
    /// - Throws: ``AuthorizationResponseError``. A refusal costs less than a good response.
    public init(
        query: [UInt8], content: [UInt8]?, isSigned: Bool = false, decryption: TokenDecryption? = nil,
        names: ParameterNames = ParameterNames(), at form: RedirectURI.Form
    ) throws(AuthorizationResponseError) {
        let state: Secret
        if isSigned {
            let response = try SignedResponse.parse(query: query, content: content, decryption)
            (self.content, state) = (.signed(response), response.state)
            parameters = response.parameters
        } else {
            parameters = try AuthorizationResponse.fields(query: query, content: content)
            let response = try AuthorizationResponse(names.standardized(parameters, of: .callback))
            (self.content, state) = (.plain(response), response.state)
        }
        self.form = form
        stateHash = SHA256Digest(of: state.exposedBytes)
    }

    /// Checks that the response is for a request with this redirect URI and state.
    /// - Parameters:
    ///   - redirectURI: the request's own.
    ///   - state: a digest of the request's state.
    public func matched(
        redirectURI: RedirectURI.Form, state: SHA256Digest
    ) throws(AuthorizationResponseError) -> MatchedResponse {
        guard form == redirectURI else { throw .wrongRedirectURI }
        guard stateHash == state else { throw .wrongState }
        return MatchedResponse(self)
    }

    /// A digest of everything that the callback says, decoded.
    public var fingerprint: SHA256Digest {
        SHA256Digest(of: FormEncoding.encode(parameters.map { ($0.name, $0.value) }))
    }
}

/// A response that came to its request's redirect URI, with its request's state. Its issuer is not checked yet.
public struct MatchedResponse: Sendable {
    private let unchecked: UncheckedResponse
    /// A digest of everything that the callback says, so that an identical one is known again.
    public let fingerprint: SHA256Digest

    fileprivate init(_ unchecked: UncheckedResponse) {
        self.unchecked = unchecked
        fingerprint = unchecked.fingerprint
    }

    /// The part that the issuer must have signed, where the response was asked for signed; nil for a plain one.
    public var signed: SignedResponse? {
        if case .signed(let signed) = unchecked.content { signed } else { nil }
    }

    /// A plain response, once its issuer is found to be the request's.
    public func checked(by issuer: IssuerIdentification) throws(AuthorizationResponseError) -> CheckedResponse {
        guard case .plain(let response) = unchecked.content else { throw .signature(.wrongSignature) }
        try issuer.check(response.issuer)
        return CheckedResponse(response, self, unchecked)
    }

    /// A plain response of an app that takes callbacks of any issuer. Only the app knows the right issuer, and compares
    /// `iss`.
    public func checkedByTheApp() throws(AuthorizationResponseError) -> CheckedResponse {
        guard case .plain(let response) = unchecked.content else { throw .signature(.wrongSignature) }
        return CheckedResponse(response, self, unchecked)
    }

    /// A signed response, once its claims fit the request (JARM section 2.4) and its signature is the issuer's.
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - clockSkew: seconds by which the issuer's clock may differ.
    public func checked(
        by issuer: IssuerIdentification, to clientID: String, now: Int64, clockSkew: Int64, signature: VerifiedJWT
    ) throws(AuthorizationResponseError) -> CheckedResponse {
        guard let signed, signature.token.compact == signed.token.compact else { throw .signature(.wrongSignature) }
        let response = try signed.response(from: issuer.expected, to: clientID, now: now, clockSkew: clockSkew)
        return CheckedResponse(response, self, unchecked)
    }
}

/// An authorization response that its request may trust. It came to that request's redirect URI, with its state, and
/// from its issuer, which has signed it if required.
///
/// Only these checks can make one, so code that requires it cannot skip them (rules: state before belief).
public struct CheckedResponse: Sendable {
    public let outcome: AuthorizationResponse.Outcome
    /// The parameters of the response itself, under the names of the RFCs: for a signed one, those inside.
    public let parameters: [FormField]
    /// Everything that the callback brought, in its order.
    public let received: [FormField]
    /// Whether the issuer has signed it. The browser may have made up an unsigned one.
    public let isSigned: Bool
    /// Whether it names its issuer; then it is the expected one (RFC 9207), unless the app takes any.
    public var isIssuerNamed: Bool { parameters.contains { $0.name == "iss" } }
    /// The digest of the state of the one request that it answers.
    public let stateHash: SHA256Digest
    /// A digest of everything that the callback says.
    public let fingerprint: SHA256Digest

    fileprivate init(_ response: AuthorizationResponse, _ matched: MatchedResponse, _ unchecked: UncheckedResponse) {
        outcome = response.outcome
        parameters = response.parameters
        received = unchecked.parameters
        isSigned = matched.signed != nil
        stateHash = unchecked.stateHash
        fingerprint = matched.fingerprint
    }
}
