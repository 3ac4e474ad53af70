internal import SwitchyardCrypto
internal import SwitchyardOAuth

/// An API's demand for an access token with further claims, in the `WWW-Authenticate` header of its 401.
public struct ClaimsChallenge: Sendable, Hashable {
    /// The claims to ask for, as JSON text.
    public let claims: String
    /// `error`, such as `insufficient_claims`.
    public let error: String?

    /// The first Bearer challenge that has claims; nil without one, and for a header that cannot be read to its end.
    /// - Parameter wwwAuthenticate: the header's value. Its claims are JSON, plain or in base64.
    public init?(wwwAuthenticate: String) {
        guard let header = AuthenticateHeader(wwwAuthenticate) else { return nil }
        for challenge in header.challenges where challenge.scheme == "bearer" {
            guard let text = challenge.parameters["claims"] else { continue }
            guard let claims = Self.decoded(text) else { return nil }
            self.claims = claims
            error = challenge.parameters["error"]
            return
        }
        return nil
    }

    private static func decoded(_ text: String) -> String? {
        if text.hasPrefix("{") { return text }
        // Either alphabet, with padding or without.
        let plain = text.utf8.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        let padding = plain.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2, let bytes = Base64URL.decode(Array(plain.dropLast(padding))) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
