internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests

/// The issuer's words about a refused sign-in, kept by the browser that brought them, for the page of that sign-in.
/// Until the release only the person at that browser may know them, so the gateway does not keep them.
///
/// One cookie for all sign-ins, sealed for the latest: the words are long, and a browser's cookies must fit into a
/// header.
enum IssuerWordsCookie {
    private static let name = "__Host-sy-said"
    private static let purpose = "said"
    /// The time in which a person may look at the page, in seconds.
    private static let lifetime: Int64 = 600

    static func add(
        _ error: AuthorizationError, for record: RequestRecord, _ registry: RequestRegistry, to response: inout Response
    ) {
        // The description is the part for people, and is kept whole.
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
