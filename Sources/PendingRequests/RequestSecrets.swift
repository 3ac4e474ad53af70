public import SwitchyardCrypto
public import SwitchyardOAuth

/// What the gateway alone needs of a request: to send the browser to the issuer, and to redeem. Stored sealed.
public struct RequestSecrets: Sendable {
    public let state: String
    /// In tokens mode; in response mode the app keeps it to itself.
    public let verifier: Secret?
    /// In response mode, where the app gave one; in tokens mode it follows from the verifier.
    public let challenge: String?
    public let nonce: String?
    /// The public key that the result is sealed to, as a JWK; nil when the app gave none.
    public let resultKey: String?
    /// Where on loopback the app listens for the browser, for the release policy `same_device`.
    public let returnPort: UInt16?
    /// Further parameters of the authorization request, in their order.
    public let parameters: [FormField]

    public init(
        state: String, verifier: Secret?, challenge: String?, nonce: String?, resultKey: String? = nil,
        returnPort: UInt16? = nil, parameters: [FormField]
    ) {
        self.state = state
        self.verifier = verifier
        self.challenge = challenge
        self.nonce = nonce
        self.resultKey = resultKey
        self.returnPort = returnPort
        self.parameters = parameters
    }

    /// One byte string, in form encoding: compact, and read back by code that is tested anyway.
    var packed: [UInt8] {
        var pairs = [("state", state)]
        if let verifier { pairs.append(("verifier", verifier.exposedText)) }
        if let challenge { pairs.append(("challenge", challenge)) }
        if let nonce { pairs.append(("nonce", nonce)) }
        if let resultKey { pairs.append(("key", resultKey)) }
        if let returnPort { pairs.append(("port", "\(returnPort)")) }
        return FormEncoding.encode(pairs + parameters.map { ("+" + $0.name, $0.value) })
    }

    init?(packed: [UInt8]) {
        guard let fields = try? FormEncoding.decode(packed) else { return nil }
        func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }
        guard let state = value("state") else { return nil }
        self.init(
            state: state, verifier: value("verifier").map { Secret($0) }, challenge: value("challenge"),
            nonce: value("nonce"), resultKey: value("key"), returnPort: value("port").flatMap { UInt16($0) },
            parameters: fields.filter { $0.name.hasPrefix("+") }.map {
                FormField(String($0.name.dropFirst()), $0.value)
            })
    }
}
