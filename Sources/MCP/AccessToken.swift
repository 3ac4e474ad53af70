public import SwitchyardCrypto
public import SwitchyardJSON
internal import SwitchyardText

/// A token for calls to the server.
public struct AccessToken: Sendable {
    public let text: Secret
    /// Seconds since 1970; nil if the issuer does not say.
    public let expiresOn: Int64?
    /// Whether each call proves the possession of a key (RFC 9449).
    public let isBound: Bool
    private let obtainedOn: Int64

    /// - Parameters:
    ///   - answer: a token response (RFC 6749 section 5.1), or an agent's answer.
    ///   - now: in seconds since 1970.
    /// - Returns: nil for an answer without a token, or with one of an unknown type or that no header field takes.
    public init?(_ answer: JSONObject, at now: Int64) {
        guard let text = answer["access_token"]?.string, !text.isEmpty, text.allBytes({ (0x21...0x7E).contains($0) }),
            case let type = (answer["token_type"]?.string ?? "Bearer").asciiLowercased,
            type == "bearer" || type == "dpop"
        else { return nil }
        self.text = Secret(text)
        isBound = type == "dpop"
        obtainedOn = now
        expiresOn =
            answer["expires_on"]?.integer
            ?? answer["expires_in"]?.integer.map { now.addingReportingOverflow($0) }
            .flatMap { $0.overflow ? nil : $0.partialValue }
    }

    public var field: (name: String, value: String) {
        ("Authorization", "\(isBound ? "DPoP" : "Bearer") \(text.exposedText)")
    }

    /// Whether another one must be got first: a minute before the end, or after four fifths of a shorter life. An agent gives a new
    /// one from then on.
    public func endsSoon(at now: Int64) -> Bool {
        guard let expiresOn, expiresOn > obtainedOn else { return false }
        return now >= expiresOn - min(60, (expiresOn - obtainedOn) / 5)
    }
}
