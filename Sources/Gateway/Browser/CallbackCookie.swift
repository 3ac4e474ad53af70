internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardPendingRequests

/// The cookie that lets only the browser that brought the callback see the outcome of a sign-in.
///
/// Each sign-in has its own, so that tabs never collide. The `__Host-` prefix binds it to this origin.
struct CallbackCookie: Sendable {
    let id: RequestID
    let secret: Secret
    /// The sealed part that ``refused(for:_:)`` opens; nil for the browser of an accepted callback.
    private let sealed: Substring?

    /// The cookie of a browser that was refused because the store was out. The store may still have taken the callback.
    struct Refused {
        /// The secret of the cookie, and so of the callback.
        let secret: Secret
        /// The port to which the browser takes the callback on its own machine; nil if it does not.
        let port: UInt16?
    }

    private static let prefix = "__Host-sy-done-"
    /// More than this many of ours in one browser, and the surplus is taken back: cookies must not pile up.
    private static let maximumCount = 8

    /// A fresh secret for a browser that is about to bring a callback.
    static func makeSecret() -> Secret { Secret(Random.token(byteCount: 16)) }

    /// The secret for the browser that holds this start cookie.
    static func makeSecret(following startCookie: some StringProtocol) -> Secret {
        Secret(Base64URL.encode(Array(SHA256Digest(of: "outcome \(startCookie)").bytes.prefix(16))))
    }

    var hash: SHA256Digest { SHA256Digest(of: secret.exposedBytes) }

    /// The cookie of a sign-in.
    init?(_ cookies: Cookies, for reference: Reference) {
        let parts = cookies.values(of: "\(Self.prefix)\(reference)").first?.split(
            separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard let parts, parts.count >= 2, let id = RequestID(parts[0]) else { return nil }
        self.id = id
        secret = Secret(String(parts[1]))
        sealed = parts.count > 2 ? parts[2] : nil
    }

    /// The sign-in, if the browser that brought its callback holds this cookie.
    func record(of reference: Reference, in registry: RequestRegistry) async throws(StoreError) -> RequestRecord? {
        guard let record = try await registry.find(.id(id)), record.reference == reference,
            record.callback?.isOfBrowser(hash) == true
        else { return nil }
        return record
    }

    /// nil unless this gateway, or another with its keys, has made it for this request.
    func refused(for record: RequestRecord, _ registry: RequestRegistry) -> Refused? {
        guard let sealed, let port = registry.open(sealed, Self.purpose(secret), for: record.id) else { return nil }
        return Refused(secret: secret, port: UInt16(port))
    }

    /// The purpose binds the seal to the secret, so a browser cannot combine it with a secret of its own choice.
    private static func purpose(_ secret: Secret) -> String { "refused \(secret.exposedText)" }

    /// Adds the cookie of a refused callback, which may come again.
    static func add(
        to response: inout Response, refused browser: IntakeError.LateBrowser, _ registry: RequestRegistry,
        _ cookies: Cookies
    ) {
        let port = browser.port.map { "\($0)" } ?? ""
        let sealed = registry.seal(port, purpose(browser.secret), for: browser.record.id)
        add(to: &response, secret: browser.secret, for: browser.record, cookies, sealed: ".\(sealed)")
    }

    /// Adds the cookie of an accepted callback to its answer, for as long as the request is remembered.
    static func add(
        to response: inout Response, secret: Secret, for record: RequestRecord, _ cookies: Cookies,
        sealed: String = ""
    ) {
        add(
            to: &response, "\(secret.exposedText)\(sealed)", for: record.reference, record.id,
            lifetime: record.rememberedUntil - record.createdAt, cookies)
    }

    /// Adds the cookie of a callback without a request.
    static func add(
        to response: inout Response, secret: Secret, for reference: Reference, lifetime: Duration, _ cookies: Cookies
    ) {
        add(to: &response, secret.exposedText, for: reference, RequestID(), lifetime: lifetime, cookies)
    }

    private static func add(
        to response: inout Response, _ value: String, for reference: Reference, _ id: RequestID, lifetime: Duration,
        _ cookies: Cookies
    ) {
        response.setCookie("\(prefix)\(reference)", "\(id).\(value)", lifetime: lifetime.components.seconds)
        let names = cookies.names.filter { $0.hasPrefix(prefix) }
        for name in names.prefix(max(0, names.count - maximumCount + 1)) { response.dropCookie(name) }
    }
}
