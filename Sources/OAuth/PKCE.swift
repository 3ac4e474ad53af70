public import SwitchyardCrypto
internal import SwitchyardText

/// A code verifier with its S256 code challenge (RFC 7636).
public struct PKCE: Sendable, Hashable {
    public let verifier: Secret
    /// BASE64URL(SHA256(verifier)): 43 characters.
    public let challenge: String

    /// A fresh verifier of 43 characters that carry 256 random bits.
    public init() {
        let verifier = Random.token(byteCount: 32)
        self.verifier = Secret(verifier)
        challenge = Self.challenge(for: verifier)
    }

    /// Takes a verifier up again; nil unless it is 43 to 128 unreserved characters (RFC 7636 section 4.1).
    public init?(verifier: Secret) {
        let text = verifier.exposedText
        guard (43...128).contains(text.utf8.count),
            text.utf8.allSatisfy({ ASCII.isAlphanumeric($0) || "-._~".utf8.contains($0) })
        else { return nil }
        self.verifier = verifier
        challenge = Self.challenge(for: text)
    }

    /// Whether a text has the form of an S256 challenge: the 43 characters that 32 bytes have in base64url.
    public static func isChallenge(_ text: String) -> Bool {
        text.utf8.count == 43 && text.utf8.allSatisfy { ASCII.isAlphanumeric($0) || $0 == 0x2D || $0 == 0x5F }
    }

    private static func challenge(for verifier: String) -> String {
        Base64URL.encode(SHA256Digest(of: verifier).bytes)
    }
}
