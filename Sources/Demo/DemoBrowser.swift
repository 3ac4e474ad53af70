internal import SwitchyardHTTPClient

/// Plays the browser of the demo: follows redirects one step at a time, and keeps its cookies.
struct DemoBrowser {
    private let client: HTTPClient
    private let trustAnchor: String
    private var cookies: [String] = []

    init(_ client: HTTPClient, trustAnchor: String) {
        self.client = client
        self.trustAnchor = trustAnchor
    }

    struct Page {
        let url: String
        let status: Int
        let html: String
        /// The target of the answer's redirect, made absolute.
        let location: String?
    }

    mutating func open(_ url: String, form: String? = nil) async throws -> Page {
        var headers = [("Accept", "text/html"), ("Accept-Language", "en")]
        if !cookies.isEmpty { headers.append(("Cookie", cookies.joined(separator: "; "))) }
        if form != nil { headers.append(("Content-Type", "application/x-www-form-urlencoded")) }
        let response = try await client.send(
            OutgoingRequest(
                form == nil ? .get : .post, url, headers: headers, body: form.map { Array($0.utf8) },
                trustAnchor: trustAnchor))
        if let cookie = response.header("set-cookie")?.split(separator: ";").first { cookies.append(String(cookie)) }
        return Page(
            url: url, status: response.status, html: String(decoding: response.body, as: UTF8.self),
            location: response.header("location").map { Self.absolute($0, from: url) })
    }

    /// Fills in the one form of a page and sends it.
    mutating func submit(_ page: Page, _ answers: [String: String]) async throws -> Page {
        guard let action = Self.attribute("action", in: page.html) else {
            throw DemoError("the issuer's page has no form")
        }
        var fields = answers
        for input in page.html.components(after: "<input type=\"hidden\"") {
            guard let name = Self.attribute("name", in: input), let value = Self.attribute("value", in: input) else {
                continue
            }
            fields[name] = value
        }
        let form = fields.sorted { $0.key < $1.key }.map { "\(Self.encoded($0))=\(Self.encoded($1))" }
        return try await open(Self.absolute(action, from: page.url), form: form.joined(separator: "&"))
    }

    /// The text of the first element with that name.
    static func text(of element: String, in html: String) -> String? {
        guard let opening = html.components(after: "<\(element)").first,
            let start = opening.firstIndex(of: ">"), let end = opening.firstIndex(of: "<"), start < end
        else { return nil }
        return String(opening[opening.index(after: start)..<end])
    }

    /// The text of the element with that id.
    static func text(ofElementWithID id: String, in html: String) -> String? {
        guard let rest = html.components(after: " id=\"\(id)\"").first, let start = rest.firstIndex(of: ">"),
            let end = rest.firstIndex(of: "<"), start < end
        else { return nil }
        return String(rest[rest.index(after: start)..<end])
    }

    private static func attribute(_ name: String, in html: some StringProtocol) -> String? {
        guard let rest = String(html).components(after: "\(name)=\"").first, let end = rest.firstIndex(of: "\"") else {
            return nil
        }
        return String(rest[..<end]).replacing("&amp;", with: "&").replacing("&quot;", with: "\"")
    }

    private static func absolute(_ location: String, from url: String) -> String {
        guard location.hasPrefix("/") else { return location }
        let origin = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3)
        return origin.joined(separator: "/") + location
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let scalar = UnicodeScalar(byte)
            if scalar.isASCII && scalar.properties.isAlphabetic || (48...57).contains(byte) { return String(scalar) }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}

extension StringProtocol where SubSequence == Substring {
    /// The parts behind each occurrence of `mark`.
    fileprivate func components(after mark: String) -> [Substring] {
        Array(split(separator: mark, omittingEmptySubsequences: false).dropFirst())
    }

    fileprivate func replacing(_ old: String, with new: String) -> String {
        split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
    }
}
