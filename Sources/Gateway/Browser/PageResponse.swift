internal import SwitchyardHTTP
internal import SwitchyardPendingRequests
internal import SwitchyardPhrases

extension Response {
    /// A page with the headers that every page has.
    /// - Parameter request: names the reader's language; nil when it could not be read, and then the page is in English.
    static func page(_ status: Status, _ content: PageContent, of pages: PageBook, to request: Request?) -> Response {
        let language = request.map { pages.language(byAcceptLanguage: $0.field("accept-language")) }
        let page = pages.page(content, in: language ?? .english)
        var response = Response(status, fields: pageFields, body: .bytes(page.html))
        response.add("Content-Security-Policy", page.contentSecurityPolicy)
        response.add("Content-Language", page.contentLanguage)
        return response
    }

    private static let pageFields: Fields = [
        "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff", "Vary": "Accept-Language",
    ]

    /// A page that refuses, with its status.
    /// - Parameter reference: by which operators find it.
    static func refusal(
        _ refusal: CallbackRefusal, _ reference: Reference? = nil, of pages: PageBook, to request: Request
    ) -> Response {
        var response = page(refusal.status, .refused(refusal, reference), of: pages, to: request)
        if let seconds = refusal.retryAfter { response.add("Retry-After", String(seconds)) }
        return response
    }

    static func notAllowed(
        _ methods: String, _ reference: Reference? = nil, of pages: PageBook, to request: Request
    ) -> Response {
        var response = refusal(.methodNotAllowed, reference, of: pages, to: request)
        response.add("Allow", methods)
        return response
    }

    /// Sends the browser on.
    /// - Parameters:
    ///   - location: a registered address, the issuer's, or one of our own pages (rules: no open redirect).
    ///   - query: what follows it, byte for byte.
    static func redirect(_ status: Status, to location: [UInt8], _ query: ArraySlice<UInt8> = []) -> Response {
        var response = Response(status)
        response.fields.add("Location", location, query)
        response.fields.add(redirectFields)
        return response
    }

    private static let redirectFields: Fields = ["Cache-Control": "no-store", "Referrer-Policy": "no-referrer"]
}
