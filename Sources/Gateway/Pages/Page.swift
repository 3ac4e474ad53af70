internal import SwitchyardPendingRequests

/// A finished page and the headers that belong to it; which status it is sent with, its sender knows.
///
/// The sender adds the fields that all pages share: `Cache-Control: no-store`, `Referrer-Policy: no-referrer` and the
/// content type `text/html; charset=utf-8`. Immutable; safe from any thread.
struct Page: Sendable {
    /// The document in UTF-8.
    let html: [UInt8]
    /// The value of `Content-Language` (RFC 9110 section 8.5).
    let contentLanguage: String
    /// The value of `Content-Security-Policy`: loading and framing are forbidden, and one stylesheet applies. Only a
    /// page with a form may send data, to its own origin. A script runs only by its hash, and asks only its own origin.
    let contentSecurityPolicy: String

    /// The page with `content`; see ``PageBook``.
    static func render(_ content: PageContent, from set: PageSet) -> Page {
        let layout = set.layout
        return switch content {
        case .collected(let signIn): layout.collected(signIn)
        case .waitingForApp(let signIn, let isLive): layout.waitingForApp(signIn, isLive: isLive)
        case .redeeming(let signIn, let isLive): layout.redeeming(signIn, isLive: isLive)
        case .releaseCode(let signIn, let asker, let code, let action):
            layout.releaseCode(signIn, asker, code: code, action: action)
        case .returning(let signIn, let appURL): layout.returning(signIn, appURL: appURL)
        case .failed(let signIn, let reason, let said): layout.failed(signIn, reason, said: said)
        case .delivered(let signIn): layout.delivered(signIn)
        case .delivering(let signIn): layout.delivering(signIn)
        case .undelivered(let signIn): layout.undelivered(signIn)
        case .passedOn(let signIn): layout.passedOn(signIn)
        case .confirmStart(let signIn, let asker, let continueURL, let action):
            layout.confirmStart(signIn, asker, continueURL: continueURL, action: action)
        case .neutral(reference: nil): set.neutral
        case .neutral(let reference?): layout.neutral(reference: reference)
        case .startedElsewhere(let reference): layout.startedElsewhere(reference)
        case .fragment: set.fragment
        case .comingAgain(let refusal, let reference): layout.comingAgain(refusal, reference)
        case .refused(let refusal, nil): set.refused[refusal.rawValue]
        case .refused(let refusal, let reference?): set.refusedWithReference[refusal.rawValue].page(reference)
        }
    }
}

/// A page that is made once for any reference: every one is as long.
struct ReferencePage: Sendable {
    private let page: Page
    /// The range of the reference.
    private let range: Range<Int>

    /// - Parameter make: the page with a reference, which stands in it alone.
    init(_ make: (Reference) -> Page) {
        let sample = Reference()
        let page = make(sample)
        guard let range = page.html.firstRange(of: Array("\(sample)".utf8)) else {
            preconditionFailure("a page that does not show its reference")
        }
        (self.page, self.range) = (page, range)
    }

    func page(_ reference: Reference) -> Page {
        var html = page.html
        html.replaceSubrange(range, with: "\(reference)".utf8)
        return Page(
            html: html, contentLanguage: page.contentLanguage, contentSecurityPolicy: page.contentSecurityPolicy)
    }
}
