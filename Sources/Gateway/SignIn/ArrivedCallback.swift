internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardRouting
internal import SwitchyardText

/// A callback that arrived at a redirect URI of an app: the one value for it, from the endpoint to the app's handlers
/// and its request.
struct ArrivedCallback: Sendable {
    /// The party that brought a callback.
    enum Source: Sendable {
        case browser(ArrivingBrowser)
        /// A program. `uid` is the user at the other end of a Unix socket; nil if the program came another way.
        case relay(uid: UInt32?)
        /// Another gateway, for the request that it carries.
        /// - Parameter isReleased: whether the app has proved to that gateway that it belongs to the browser.
        case gateway(RequestID, isReleased: Bool)

        /// The digest of the cookie that opens the page of the sign-in; nil for a relayed callback.
        var browserHash: SHA256Digest? { secret.map { SHA256Digest(of: $0.exposedBytes) } }

        /// The secret of that cookie.
        var secret: Secret? {
            if case .browser(let browser) = self { browser.secret } else { nil }
        }

        /// The cookie that the browser got when this callback was refused to it because the store was out.
        func refused(for record: RequestRecord, _ registry: RequestRegistry) -> CallbackCookie.Refused? {
            guard case .browser(let browser) = self else { return nil }
            return CallbackCookie(browser.cookies, for: record.reference)?.refused(for: record, registry)
        }
    }

    var route: Route
    /// The parameters' bytes, undecoded.
    let query: [UInt8]
    /// The content of a POST.
    let content: [UInt8]?
    var source: Source
    let caller: Caller
    /// The callback as one text, as a program or another gateway gave it; nil for one that a browser brought.
    private let givenURL: String?
    /// The trace that it is part of, by the word of a trusted proxy.
    let trace: TraceContext?
    /// The token that lets the app raise its window, from the program that was clicked; nil without one.
    let activationToken: String?
    /// The time of its arrival, in seconds since 1970. If another gateway held its code, the arrival there counts.
    let arrival: Int64

    init(
        at route: Route, query: [UInt8], content: [UInt8]? = nil, url: String? = nil, from source: Source,
        _ caller: Caller, trace: TraceContext? = nil, activationToken: String? = nil, arrival: Int64? = nil
    ) {
        self.route = route
        self.query = query
        self.content = content
        self.source = source
        self.caller = caller
        self.trace = trace
        self.activationToken = activationToken
        self.arrival = arrival ?? WallTime.now().seconds
        givenURL = url
    }

    /// A callback that a browser brought.
    /// - Parameter isReturning: whether the browser comes from our own redirect and so has shown its cookies.
    init(
        _ exchange: Exchange, at route: Route, query: [UInt8], content: [UInt8]? = nil, isReturning: Bool = false
    ) {
        let browser = ArrivingBrowser(
            secret: CallbackCookie.makeSecret(), address: exchange.browserAddress, cookies: exchange.cookies,
            isCrossSitePost: content != nil && !isReturning)
        self.init(
            at: route, query: query, content: content, from: .browser(browser), exchange.caller,
            trace: exchange.caller.isProxied ? exchange.trace : nil)
    }

    /// The channel that it came by.
    var channel: CallbackChannel {
        switch source {
        case .browser: CallbackChannel(route.app.responseMode.carrier)
        case .relay: .relay
        case .gateway: .gateway
        }
    }

    /// For an app that redeems by itself: the callback byte for byte, or the redirect URI alone where the parameters did
    /// not come in its query.
    var url: String {
        if let givenURL { return givenURL }
        guard content == nil, !route.app.responseMode.isSigned else { return route.redirectURI.text }
        return wholeURL
    }

    /// The callback as one URL for a handler: the content of a form follows the question mark, where it means the same.
    var wholeURL: String {
        givenURL ?? "\(route.redirectURI.text)?\(String(decoding: wholeQuery, as: UTF8.self))"
    }

    /// The query, and behind it the content of a form.
    var wholeQuery: [UInt8] { AuthorizationResponse.joined(query, content) }

    /// Whether reading it takes a private key.
    var isEncrypted: Bool {
        route.app.responseMode.isSigned && route.app.tokenHandling.decryption != nil
            && SignedResponse.isEncrypted(query: query, content: content)
    }

    /// The content, in the form of its app's response mode, by the names that its issuer has for parameters.
    func response(_ setup: Setup) throws(CallbackError) -> UncheckedResponse {
        let app = route.app
        do throws(AuthorizationResponseError) {
            return try UncheckedResponse(
                query: query, content: content, isSigned: app.responseMode.isSigned,
                decryption: app.tokenHandling.decryption,
                names: setup.parameterNames(of: app),
                at: route.redirectURI.form)
        } catch {
            throw CallbackError(error)
        }
    }

    /// A digest of all that it says. An encrypted response stays closed, because opening one takes a permit.
    func fingerprint(_ setup: Setup) throws(CallbackError) -> SHA256Digest {
        guard isEncrypted else { return try response(setup).fingerprint }
        do throws(AuthorizationResponseError) {
            return try UncheckedResponse.fingerprint(ofClosed: query, content: content)
        } catch {
            throw CallbackError(error)
        }
    }

    /// The pending request with the callback's state; nil if there is none, or if the store fails.
    func pendingRequest(in registry: RequestRegistry, _ setup: Setup) async -> RequestRecord? {
        guard let (record, _) = try? await registry.request(of: self, setup), case .pending = record.phase else {
            return nil
        }
        return record
    }

    /// A copy with the cookie's secret that the browser gets for this request. If the browser holds the start cookie,
    /// the secret is derived from it: after a lost answer the browser gets the same again. A browser that was refused
    /// because the store was out also gets its earlier secret again.
    func bound(to record: RequestRecord, _ registry: RequestRegistry) -> ArrivedCallback {
        guard case .browser(var browser) = source else { return self }
        if let start = StartCookie.value(in: browser.cookies, for: record.id, .start, registry) {
            browser.secret = CallbackCookie.makeSecret(following: start)
        } else if let refused = source.refused(for: record, registry) {
            browser.secret = refused.secret
        }
        var callback = self
        callback.source = .browser(browser)
        return callback
    }
}

/// The browser that brings a callback.
struct ArrivingBrowser: Sendable {
    /// The secret of the cookie that the browser is about to get.
    var secret: Secret
    /// nil when it is unknown.
    let address: PeerAddress?
    /// They are looked at when the request is known.
    let cookies: Cookies
    /// Whether the browser may have kept its cookies back, because another site made it send this.
    let isCrossSitePost: Bool
}

/// The effect of a callback that was not refused.
enum AcceptedCallback: Sendable {
    /// It has its request.
    case claimed(ClaimedRequest)
    /// The same callback had been accepted before.
    /// - Parameters:
    ///   - secret: of the cookie, where the browser has shown that it is the same one.
    ///   - port: where that takes it on its own machine, because it was refused when it should have; nil where it does not.
    case repeated(RequestRecord, secret: Secret?, port: UInt16?)
    /// The browser must come again in a way that shows its cookies; the request is unchanged.
    case needsCookie(RequestRecord)
}

/// A request that a callback has claimed.
struct ClaimedRequest: Sendable {
    /// The record after the claim.
    let record: RequestRecord
    /// Taken before the claim.
    let revision: ChangeHub.Revision
    /// The secret of the browser's cookie; nil for a relayed callback.
    let secret: Secret?
    /// The issuer's refusal, if it refused.
    let error: AuthorizationError?
    /// The port to which the browser takes it on its own machine; nil if it does not.
    let port: UInt16?
}
