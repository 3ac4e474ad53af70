public import SwitchyardCrypto
public import SwitchyardOAuth

/// The secrets of a request that only the gateway needs: to send the browser to the issuer, and to redeem. Stored
/// sealed.
public struct RequestSecrets: Sendable {
    /// The `state` of the authorization request, which the callback must bring.
    public let state: String
    /// The verifier of PKCE; nil with completion `response`, because only the app has it.
    public let verifier: Secret?
    /// The challenge of PKCE that the app gave; nil with completion `tokens`, because it follows from the verifier.
    public let challenge: String?
    /// The `nonce` that the ID token must have; nil if the request had no `nonce`.
    public let nonce: String?
    /// The public key that the result is sealed to, as a JWK; nil if the app gave no key.
    public let resultKey: String?
    /// The loopback port on which the app listens for the browser. The browser comes back there with a ticket (the release
    /// policy `same_device`), or brings the response (the handler `loopback`).
    public let returnPort: UInt16?
    /// Further parameters of the authorization request, in their order.
    public let parameters: [FormField]
    /// Further parameters of the token request, in their order.
    public let tokenParameters: [FormField]
    /// The private key to which the tokens are bound, as a JWK; nil for bearer tokens.
    public var bindingKey: Secret?
    /// The data for calls to the gateway that carries the request; nil if its callbacks come here.
    public var remoteSignIn: Secret?
    /// For a sign-in to a resource: the findings about it, as ``ResourceGrant/sealable``.
    public var grant: Secret?

    /// - Parameter returnPort: 1 to 65535.
    public init(
        state: String, verifier: Secret?, challenge: String?, nonce: String?, resultKey: String? = nil,
        returnPort: UInt16? = nil, parameters: [FormField], tokenParameters: [FormField] = [],
        remoteSignIn: Secret? = nil
    ) {
        self.state = state
        self.verifier = verifier
        self.challenge = challenge
        self.nonce = nonce
        self.resultKey = resultKey
        self.returnPort = returnPort
        self.parameters = parameters
        self.tokenParameters = tokenParameters
        self.remoteSignIn = remoteSignIn
    }

    // The packed form has pairs of a name and a value, mostly parameters. No parameter's name is empty or has a control
    // character, so the names of the other values do.

    /// The name of ``remoteSignIn``.
    private static let remoteSignInName = ""
    /// The first character of the name of a parameter of the token request.
    private static let tokenMark: Character = "\u{1}"
    /// The name of ``bindingKey``.
    private static let keyName = "\u{2}"
    /// The name of ``grant``.
    private static let grantName = "\u{3}"

    /// The secrets as bytes.
    var packed: [UInt8] {
        var writer = PackedWriter(reserving: 160)
        writer.token(state)
        writer.token(verifier?.exposedText ?? "")
        writer.token(challenge ?? "")
        writer.token(nonce ?? "")
        writer.text(resultKey ?? "")
        writer.number(UInt64(returnPort ?? 0))
        for field in parameters {
            writer.text(field.name)
            writer.text(field.value)
        }
        for field in tokenParameters {
            writer.text("\(Self.tokenMark)\(field.name)")
            writer.text(field.value)
        }
        if let bindingKey {
            writer.text(Self.keyName)
            writer.text(bindingKey.exposedText)
        }
        if let remoteSignIn {
            writer.text(Self.remoteSignInName)
            writer.text(remoteSignIn.exposedText)
        }
        if let grant {
            writer.text(Self.grantName)
            writer.text(grant.exposedText)
        }
        return writer.result
    }

    init?(packed: [UInt8]) {
        func some(_ text: String) -> String? { text.isEmpty ? nil : text }
        var reader = PackedReader(packed)
        do throws(PackedRecordError) {
            let state = try reader.token()
            let verifier = some(try reader.token()).map { Secret($0) }
            let challenge = some(try reader.token())
            let nonce = some(try reader.token())
            let resultKey = some(try reader.text())
            guard let port = UInt16(exactly: try reader.number()) else { return nil }
            var (parameters, tokenParameters): ([FormField], [FormField]) = ([], [])
            var (remoteSignIn, bindingKey, grant): (Secret?, Secret?, Secret?)
            while !reader.isAtEnd {
                let (name, value) = (try reader.text(), try reader.text())
                if name == Self.remoteSignInName {
                    remoteSignIn = Secret(value)
                } else if name == Self.keyName {
                    bindingKey = Secret(value)
                } else if name == Self.grantName {
                    grant = Secret(value)
                } else if name.first == Self.tokenMark {
                    tokenParameters.append(FormField(String(name.dropFirst()), value))
                } else {
                    parameters.append(FormField(name, value))
                }
            }
            self.init(
                state: state, verifier: verifier, challenge: challenge, nonce: nonce, resultKey: resultKey,
                returnPort: port == 0 ? nil : port, parameters: parameters,
                tokenParameters: tokenParameters, remoteSignIn: remoteSignIn)
            self.bindingKey = bindingKey
            self.grant = grant
        } catch {
            return nil
        }
    }
}
