internal import SwitchyardCrypto
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardRouting

/// A callback that arrived at a redirect URI of an app, by whatever door.
struct ArrivedCallback: Sendable {
    /// What brought it.
    enum Bearer: Sendable {
        case browser(ArrivingBrowser)
        /// A program; the user at the other end of a Unix socket, where it came by one.
        case relay(uid: UInt32?)
        /// Another gateway, for the request that it carries.
        /// - Parameter isReleased: whether the app had to prove to it that it belongs to the browser.
        case gateway(RequestID, isReleased: Bool)

        /// Of the cookie that opens the page of the sign-in; nil when it was relayed.
        var browserHash: SHA256Digest? { secret.map { SHA256Digest(of: $0.exposedBytes) } }

        /// Of that cookie.
        var secret: Secret? {
            if case .browser(let browser) = self { browser.secret } else { nil }
        }

        /// What a browser was given when this callback was refused to it, because the store was out.
        func refused(for record: RequestRecord, _ registry: RequestRegistry) -> OutcomeCookie.Refused? {
            guard case .browser(let browser) = self else { return nil }
            return OutcomeCookie(browser.cookies, for: record.reference)?.refused(for: record, registry)
        }
    }

    let route: Route
    /// The parameters' bytes, undecoded.
    let query: [UInt8]
    /// Of a POST.
    let content: [UInt8]?
    /// For an app that redeems by itself: the callback byte for byte, or the redirect URI alone where the parameters did
    /// not come in its query.
    let url: String
    var bearer: Bearer
    let caller: Caller
    let door: CallbackDoor
    /// The trace that it is part of, by the word of a trusted proxy.
    var trace: TraceContext?

    /// With the cookie's secret that the browser gets for this request: where it holds the start cookie it follows from
    /// that one, so that a browser whose first answer was lost gets the same again; and so does one that was refused because
    /// the store was out.
    func bound(to record: RequestRecord, _ registry: RequestRegistry) -> ArrivedCallback {
        guard case .browser(var browser) = bearer else { return self }
        if let start = StartCookie.value(in: browser.cookies, for: record.id, .start, registry) {
            browser.secret = OutcomeCookie.makeSecret(following: start)
        } else if let refused = bearer.refused(for: record, registry) {
            browser.secret = refused.secret
        }
        var callback = self
        callback.bearer = .browser(browser)
        return callback
    }
}

/// The browser that brings a callback.
struct ArrivingBrowser: Sendable {
    /// Of the cookie that it is about to get.
    var secret: Secret
    /// nil when it cannot be told.
    let place: PeerPlace?
    /// They are looked at when the request is known.
    let cookies: Cookies
    /// Whether the browser may have kept its cookies back, because another site made it send this.
    let isCrossSitePost: Bool
}

/// What became of a callback that was not refused.
enum AcceptedCallback: Sendable {
    /// It has its request.
    case claimed(ClaimedRequest)
    /// The same callback had been accepted before.
    /// - Parameters:
    ///   - secret: of the cookie, where the browser has shown that it is the same one.
    ///   - port: where that takes it on its own machine, because it was refused when it should have; nil where it does not.
    case repeated(RequestRecord, secret: Secret?, port: UInt16?)
    /// The browser has to come again in a way that shows its cookies; nothing has changed.
    case needsCookie(RequestRecord)
}

/// What a callback has claimed.
struct ClaimedRequest: Sendable {
    /// As the claim left it.
    let record: RequestRecord
    /// Of before the claim.
    let mark: ChangeHub.Mark
    /// Of the cookie for the browser; nil where none brought the callback.
    let secret: Secret?
    /// Of an issuer that said no.
    let error: AuthorizationError?
    /// Where the browser takes it on its own machine; nil where it does not.
    let port: UInt16?
}
