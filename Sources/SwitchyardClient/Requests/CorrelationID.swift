internal import SwitchyardCrypto
internal import SwitchyardOAuth
internal import SwitchyardText

/// The name of one request in the logs of Microsoft's issuers; all tries of a request share it. A random UUID (RFC 9562
/// section 5.4).
struct CorrelationID: Sendable, Hashable {
    let text: String

    init() {
        var bytes = Random.bytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array(Hexadecimal.encode(bytes))
        text = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20...]].map {
            String($0)
        }.joined(separator: "-")
    }

    /// nil unless it has the form of a UUID.
    init?(_ text: String) {
        guard let id = GUID(text) else { return nil }
        self.text = id.text
    }

    /// The one that an app gave, or a fresh one.
    /// - Throws: `invalidParameter` when it is no UUID.
    static func checked(_ text: String?) throws(AuthenticationError) -> CorrelationID {
        guard let text else { return CorrelationID() }
        guard let id = CorrelationID(text) else {
            throw AuthenticationError(.invalidParameter, .invalidParameter, "correlationID is no UUID")
        }
        return id
    }

    /// For a token request.
    var header: FormField { FormField("client-request-id", text) }
}
