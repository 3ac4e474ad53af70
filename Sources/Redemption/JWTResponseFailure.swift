/// Why an authorization response in a JWT was not accepted.
public enum JWTResponseFailure: Error, Hashable, Sendable {
    /// It is not the issuer's for this client, or no longer. The reason is a word for logs, such as `wrong_signature`;
    /// no input is in it.
    case notTrusted(reason: String)
    /// What it would be judged by cannot be had now.
    case issuerUnavailable(IssuerUnavailable)
}
