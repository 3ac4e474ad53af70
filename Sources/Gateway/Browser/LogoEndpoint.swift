internal import SwitchyardHTTP
internal import SwitchyardPages

/// `/start/logo/{name}`: the logos of the operator and of apps. The same for everybody, without a cookie.
///
/// The address stands below `/start/`, which proxies already pass on.
struct LogoEndpoint: Sendable {
    let exchange: Exchange

    /// The address on the host of the page.
    static func address(of logo: Logo) -> String { "/start/logo/\(logo.name)" }

    /// - Parameter name: what follows `/start/logo/`.
    func respond(_ name: Substring) -> Response {
        guard [.get, .head].contains(exchange.request.method) else { return exchange.refusedMethod("GET, HEAD") }
        guard let logo = exchange.setup.logos[String(name)] else { return exchange.refusedPage(.notFound) }
        var response = Response(.ok, fields: Self.fields, body: .bytes(logo.bytes))
        response.add("Content-Type", logo.kind.mediaType.description)
        return response
    }

    /// Opened by itself, an SVG is a document on our origin: its policy lets it load and run nothing. Another picture
    /// has another address, so browsers may keep it for a year.
    private static let fields: Fields = [
        "Content-Security-Policy": "default-src 'none'; sandbox", "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "public, max-age=31536000, immutable",
    ]
}
