internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardOAuth

/// The client of a token request, with the proof that it sent (RFC 6749 section 2.3.1).
package struct ClientCredentials: Sendable {
    package let clientID: String
    private let secret: Secret?

    init(_ request: Request, _ parameters: RequestParameters) throws(TokenError) {
        let bodyID = parameters["client_id"]
        let bodySecret = parameters["client_secret"].map { Secret($0) }
        guard let authorization = request.field("authorization") else {
            guard let bodyID else { throw .noClient }
            clientID = bodyID
            secret = bodySecret
            return
        }
        guard let (id, secret) = Self.basic(authorization) else { throw .wrongSecret }
        guard bodySecret == nil, bodyID == nil || bodyID == id else { throw .twoAuthentications }
        clientID = id
        self.secret = secret
    }

    /// A configured secret must be given; a client without one must not give any.
    package func authenticate(by clients: ClientRegistry) throws(TokenError) {
        guard secret == clients.secret(of: clientID) else { throw .wrongSecret }
    }

    /// HTTP Basic (RFC 7617); both parts are form-encoded.
    private static func basic(_ field: String) -> (id: String, secret: Secret)? {
        let parts = field.split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "basic", let bytes = base64(parts[1]),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let id = formDecoded(bytes[..<colon]),
            let secret = formDecoded(bytes[(colon + 1)...])
        else { return nil }
        return (id, Secret(secret))
    }

    private static func base64(_ text: Substring) -> [UInt8]? {
        let characters = text.utf8.prefix { $0 != UInt8(ascii: "=") }
        return Base64URL.decode(
            characters.map { character in
                switch character {
                case UInt8(ascii: "+"): UInt8(ascii: "-")
                case UInt8(ascii: "/"): UInt8(ascii: "_")
                default: character
                }
            })
    }

    private static func formDecoded(_ bytes: ArraySlice<UInt8>) -> String? {
        // As the value of a field, so that an equals sign that a client did not encode stays in it.
        guard let fields = try? FormEncoding.decode(Array("=".utf8) + bytes), fields.count == 1 else { return nil }
        return fields[0].value
    }
}
