internal import SwitchyardHTTP

extension Response {
    /// A page with the headers that every page has (design 3.4).
    static func page(_ status: Status, _ content: PageContent, to request: Request) -> Response {
        page(status, content, language: Language.preferred(byAcceptLanguage: request.field("accept-language")))
    }

    static func page(_ status: Status, _ content: PageContent, language: Language) -> Response {
        let page = Page.render(content, language: language)
        var response = Response(status, fields: pageFields, body: .bytes(page.html))
        response.add("Content-Security-Policy", page.contentSecurityPolicy)
        response.add("Content-Language", page.contentLanguage)
        return response
    }

    private static let pageFields: Fields = [
        "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff", "Vary": "Accept-Language",
    ]

    static func notAllowed(_ methods: String, to request: Request) -> Response {
        var response = page(.methodNotAllowed, .refused(.methodNotAllowed), to: request)
        response.add("Allow", methods)
        return response
    }

    /// Sends the browser on.
    /// - Parameter location: a registered address, the issuer's, or one of our own pages (rule 1).
    static func redirect(_ status: Status, to location: [UInt8]) -> Response {
        var response = Response(status, fields: redirectFields)
        response.add("Location", location)
        return response
    }

    private static let redirectFields: Fields = ["Cache-Control": "no-store", "Referrer-Policy": "no-referrer"]
}

extension CallbackProblem {
    /// The status of design 3.4's table, and the page that goes with it.
    var answer: (status: Status, refusal: CallbackRefusal) {
        switch self {
        case .malformed: (.badRequest, .malformed)
        case .tooLarge: (.contentTooLarge, .tooLarge)
        case .duplicateParameter: (.badRequest, .duplicateParameter)
        case .missingState, .unknownState: (.badRequest, .unknownState)
        case .missingCode: (.badRequest, .missingCode)
        case .wrongRedirectURI: (.badRequest, .wrongRedirectURI)
        case .wrongIssuer: (.badRequest, .wrongIssuer)
        case .wrongResponseMode: (.badRequest, .wrongResponseMode)
        case .responseNotTrusted: (.badRequest, .responseNotTrusted)
        case .anotherBrowser: (.forbidden, .anotherBrowser)
        case .foreignRelay: (.forbidden, .anotherBrowser)
        case .expired, .canceled: (.badRequest, .expired)
        case .replayed: (.conflict, .replayed)
        case .unavailable: (.serviceUnavailable, .unavailable)
        }
    }
}
