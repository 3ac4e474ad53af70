internal import SwitchyardHTTP

/// The cookies of a request and of an answer (RFC 6265), as far as this gateway sets any: `__Host-`, for this origin
/// only, out of reach of scripts, kept back from what another site makes a browser send but for links.
enum CookieField {
    /// Every `name=value`. The header is bounded, and so is this list.
    ///
    /// Bytes are split, not characters: a semicolon with a combining mark behind it is another character, but to a browser
    /// it still ends the cookie.
    static func pairs(_ request: Request) -> [Substring] {
        request.fieldValues("cookie").flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }.prefix(100)
            .map { Substring($0.drop { $0 == UInt8(ascii: " ") }) }
    }

    static func names(_ request: Request) -> [Substring] {
        pairs(request).compactMap { $0.utf8.split(separator: UInt8(ascii: "=")).first.map { Substring($0) } }
    }

    /// - Parameter lifetime: in seconds.
    static func set(_ name: String, _ value: String, lifetime: Int64, in response: inout Response) {
        response.add("Set-Cookie", "\(name)=\(value); Path=/; Max-Age=\(lifetime); Secure; HttpOnly; SameSite=Lax")
    }

    static func drop(_ name: some StringProtocol, in response: inout Response) {
        response.add("Set-Cookie", "\(name)=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax")
    }
}
