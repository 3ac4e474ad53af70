/// A finished page and the headers that belong to it; which status it is sent with, its sender knows.
///
/// The sender adds what all pages share: `Cache-Control: no-store`, `Referrer-Policy: no-referrer` and the content type
/// `text/html; charset=utf-8`. Immutable; safe from any thread.
struct Page: Sendable {
    /// The document in UTF-8.
    let html: [UInt8]
    /// The value of `Content-Language` (RFC 9110 section 8.5).
    let contentLanguage: String
    /// The value of `Content-Security-Policy`: nothing is loaded, run, framed or sent; one stylesheet applies.
    let contentSecurityPolicy: String

    /// The page with `content` in `language`. Never fails; a page without variable parts is not made again.
    static func render(_ content: PageContent, language: Language) -> Page {
        let layout = language.layout
        return switch content {
        case .collected(let signIn): layout.collected(signIn)
        case .waitingForApp(let signIn, let seconds): layout.waitingForApp(signIn, refreshAfterSeconds: seconds)
        case .redeeming(let signIn, let seconds): layout.redeeming(signIn, refreshAfterSeconds: seconds)
        case .failed(let signIn, let reason): layout.failed(signIn, reason)
        case .neutral(reference: nil): language.neutral
        case .neutral(let reference?): layout.neutral(reference: reference)
        case .refused(let refusal): language.refused[refusal.rawValue]
        }
    }
}
