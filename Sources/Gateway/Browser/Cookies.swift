internal import SwitchyardHTTP

/// The cookies of this gateway that a browser sent (RFC 6265). Each is `__Host-` (this origin only), `HttpOnly` (no
/// script reads it) and `SameSite=Lax` (another site gets it sent by links only).
struct Cookies: Sendable {
    /// Every `name=value` of ours, the oldest first (RFC 6265 section 5.4): others that share the host's domain may have set any
    /// number. The header is bounded, and so is this list.
    private let pairs: [Substring]
    private static let prefix = Array("__Host-sy-".utf8)

    /// The cookies of a browser that is no longer connected.
    static let none = Cookies(pairs: [])

    private init(pairs: [Substring]) {
        self.pairs = pairs
    }

    init(_ request: Request) {
        // Bytes are split, not characters: a semicolon with a combining mark behind it is another character, but to a
        // browser it still ends the cookie.
        let parts = request.fieldValues("cookie").flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }
        pairs = parts.compactMap { (part: Substring.UTF8View) -> Substring? in
            let pair = part.drop { $0 == UInt8(ascii: " ") }
            return pair.starts(with: Self.prefix) ? Substring(pair) : nil
        }
    }

    var names: [Substring] {
        pairs.compactMap { $0.utf8.split(separator: UInt8(ascii: "=")).first.map { Substring($0) } }
    }

    /// The values of every cookie with this name: a browser may hold one for another path.
    func values(of name: String) -> [Substring] {
        pairs.filter { $0.hasPrefix("\(name)=") }.map { $0.dropFirst(name.count + 1) }
    }
}

extension Response {
    /// - Parameter lifetime: in seconds.
    mutating func setCookie(_ name: String, _ value: String, lifetime: Int64) {
        add("Set-Cookie", "\(name)=\(value); Path=/; Max-Age=\(lifetime); Secure; HttpOnly; SameSite=Lax")
    }

    mutating func dropCookie(_ name: some StringProtocol) {
        add("Set-Cookie", "\(name)=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax")
    }
}
