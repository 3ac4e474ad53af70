internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests

/// What an issuer said when it refused a sign-in, kept by the browser that brought it, for the page of that sign-in: until the
/// release only the person at that browser may know it, so the gateway keeps it nowhere.
///
/// One cookie for all sign-ins, sealed for the latest: the words are long, and a browser may send no more than fits into a
/// header.
enum IssuerWordsCookie {
    private static let name = "__Host-sy-said"
    private static let purpose = "said"
    /// In seconds: for as long as somebody may look at the page.
    private static let lifetime: Int64 = 600

    static func add(
        _ error: AuthorizationError, for record: RequestRecord, _ registry: RequestRegistry, to response: inout Response
    ) {
        // Of these the description is for people, and is there whole.
        let names = [error.error, error.suberror].compactMap { $0.map(short) }.joined(separator: ", ")
        let parts = [names, error.errorDescription?.text, error.correlationID.map(short)]
        let words = parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " · ")
        response.setCookie(name, registry.seal(words, purpose, for: record.id), lifetime: lifetime)
    }

    static func words(in cookies: Cookies, for record: RequestRecord, _ registry: RequestRegistry) -> String? {
        cookies.values(of: name).lazy.compactMap { registry.open($0, purpose, for: record.id) }.first
    }

    private static func short(_ text: IssuerText) -> String { String(text.text.prefix(64)) }
}
