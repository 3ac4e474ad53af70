internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardOAuth

/// An authorization response on its way through the browser, in the mode that the client asked for.
struct AuthorizationAnswer {
    private let returnAddress: ReturnAddress
    private let misbehaviors: Misbehaviors
    private var parameters: [(String, String)]

    init(code: String, to returnAddress: ReturnAddress, issuer: String?, _ misbehaviors: Misbehaviors) {
        self.init([("code", code)], to: returnAddress, issuer: issuer, misbehaviors)
    }

    init(
        _ refusal: AuthorizationRefusal, to returnAddress: ReturnAddress, issuer: String?,
        _ misbehaviors: Misbehaviors = Misbehaviors()
    ) {
        var parameters = [("error", refusal.error), ("error_description", refusal.description)]
        if let subcode = refusal.subcode { parameters.append(("error_subcode", subcode)) }
        self.init(parameters, to: returnAddress, issuer: issuer, misbehaviors)
    }

    private init(
        _ parameters: [(String, String)], to returnAddress: ReturnAddress, issuer: String?, _ misbehaviors: Misbehaviors
    ) {
        self.returnAddress = returnAddress
        self.misbehaviors = misbehaviors
        self.parameters = parameters
        if let state = returnAddress.state, !misbehaviors.authorization.contains(.noState) {
            let isWrong = misbehaviors.authorization.contains(.wrongState)
            self.parameters.append(("state", isWrong ? Random.token() : state))
        }
        if misbehaviors.authorization.contains(.wrongIss) {
            self.parameters.append(("iss", "https://issuer.invalid"))
        } else if let issuer, !misbehaviors.authorization.contains(.noIss) {
            self.parameters.append(("iss", issuer))
        }
    }

    /// - Parameters:
    ///   - status: of a redirect; after a POST it must be 303 (RFC 9700 section 4.12).
    ///   - signer: for the modes that want a signed response.
    /// - Throws: ``DemoIssuerError/signing(reason:)``.
    func response(redirectingWith status: Status, _ signer: JWTSigner) throws(DemoIssuerError) -> Response {
        let mode = returnAddress.responseMode
        var parameters = parameters
        if mode.isSigned {
            parameters = try SignedResponse(
                parameters: parameters, clientID: returnAddress.clientID, misbehaviors: misbehaviors.signedResponse
            ).parameters(signer)
        }
        let target = returnAddress.redirectURI.text
        switch mode.carrier {
        case .query: return Self.redirect(status, "\(target)\(target.contains("?") ? "&" : "?")", parameters)
        case .fragment: return Self.redirect(status, "\(target)#", parameters)
        case .form: return FormPostPage.response(target: target, parameters: parameters)
        }
    }

    private static func redirect(_ status: Status, _ start: String, _ parameters: [(String, String)]) -> Response {
        var response = Response(status)
        response.add("Location", Array(start.utf8) + FormEncoding.encode(parameters))
        response.fields.add(["Cache-Control": "no-store", "Referrer-Policy": "no-referrer"])
        return response
    }
}
