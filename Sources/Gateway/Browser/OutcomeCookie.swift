internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardPendingRequests

/// The cookie that lets one browser, the one that brought the callback, see what became of a sign-in.
///
/// Each sign-in has its own, so that tabs never collide. The `__Host-` prefix binds it to this origin.
struct OutcomeCookie: Sendable {
    let id: RequestID
    let secret: Secret

    private static let prefix = "__Host-sy-done-"
    /// More than this many of ours in one browser, and the surplus is taken back: cookies must not pile up.
    private static let maximumCount = 8

    /// A fresh secret for a browser that is about to bring a callback.
    static func makeSecret() -> Secret { Secret(Random.token(byteCount: 16)) }

    /// The secret for the browser that holds this start cookie.
    static func makeSecret(following startCookie: some StringProtocol) -> Secret {
        Secret(Base64URL.encode(Array(SHA256Digest(of: "outcome \(startCookie)").bytes.prefix(16))))
    }

    /// Whether it is that of the browser that brought the callback.
    static func isHeld(in cookies: Cookies, for record: RequestRecord) -> Bool {
        record.callback?.isOfBrowser(OutcomeCookie(cookies, for: record.reference)?.hash) == true
    }

    var hash: SHA256Digest { SHA256Digest(of: secret.exposedBytes) }

    /// The cookie of a sign-in.
    init?(_ cookies: Cookies, for reference: Reference) {
        guard let value = cookies.values(of: "\(Self.prefix)\(reference)").first, let dot = value.firstIndex(of: "."),
            let id = RequestID(value[..<dot])
        else { return nil }
        self.id = id
        secret = Secret(String(value[value.index(after: dot)...]))
    }

    /// Adds the cookie of an accepted callback to its answer, for as long as the request is remembered.
    static func add(to response: inout Response, secret: Secret, for record: RequestRecord, _ cookies: Cookies) {
        add(
            to: &response, secret: secret, for: record.reference, record.id,
            lifetime: record.rememberedUntil - record.createdAt, cookies)
    }

    /// - Parameter id: of the request; any where there is none.
    static func add(
        to response: inout Response, secret: Secret, for reference: Reference, _ id: RequestID, lifetime: Duration,
        _ cookies: Cookies
    ) {
        response.setCookie(
            "\(prefix)\(reference)", "\(id).\(secret.exposedText)", lifetime: lifetime.components.seconds)
        let names = cookies.names.filter { $0.hasPrefix(prefix) }
        for name in names.prefix(max(0, names.count - maximumCount + 1)) { response.dropCookie(name) }
    }
}
