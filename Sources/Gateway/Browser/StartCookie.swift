internal import SwitchyardHTTP
internal import SwitchyardPendingRequests

/// The cookie that binds a sign-in to the browser that opened its `start_url`.
///
/// Each sign-in has its own, so that tabs never collide. It ends with the callback. Its value is a token that this
/// gateway makes for the request, so no store keeps it.
enum StartCookie {
    private static let prefix = "__Host-sy-"

    /// The level of a cookie.
    enum Purpose: String {
        /// The browser has shown the confirmation page, and its person has not confirmed yet.
        case asked
        /// The sign-in was started in this browser.
        case start
    }

    /// More than this many in one browser, and the oldest are dropped: cookies must not pile up.
    private static let maximumCount = 8

    private static func name(_ id: RequestID) -> String { "\(prefix)\(id)" }

    /// The value that a browser holds for a request; nil without one, and for one that is not ours.
    static func value(
        in cookies: Cookies, for id: RequestID, _ purpose: Purpose, _ registry: RequestRegistry
    ) -> Substring? {
        cookies.values(of: name(id)).first { registry.isToken($0, purpose.rawValue, for: id) }
    }

    static func isHeld(in cookies: Cookies, for id: RequestID, _ registry: RequestRegistry) -> Bool {
        value(in: cookies, for: id, .start, registry) != nil
    }

    static func makeValue(for record: RequestRecord, _ purpose: Purpose, _ registry: RequestRegistry) -> String {
        registry.makeToken(purpose.rawValue, for: record.id)
    }

    /// Adds the cookie to the answer at a `start_url`, for as long as the request lives.
    static func add(
        _ value: String, for record: RequestRecord, _ cookies: Cookies, at now: Timestamp, to response: inout Response
    ) {
        let lifetime = max(1, (record.expiresAt - now).components.seconds)
        response.setCookie(name(record.id), value, lifetime: lifetime)
        let others = cookies.names.filter {
            $0.hasPrefix(prefix) && RequestID($0.dropFirst(prefix.count)) != nil && $0 != name(record.id)
        }
        for other in others.prefix(max(0, others.count - maximumCount + 1)) { response.dropCookie(other) }
    }

    /// Takes the cookie back: the callback has come. Also after a POST that does not show it, because a browser keeps it
    /// back from one of another site.
    static func drop(for record: RequestRecord, _ exchange: Exchange, in response: inout Response) {
        let name = name(record.id)
        guard exchange.request.method == .post || exchange.cookies.names.contains(where: { $0 == name }) else { return }
        response.dropCookie(name)
    }
}
