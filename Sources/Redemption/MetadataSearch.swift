public import SwitchyardHTTPClient
internal import SwitchyardJSON
public import SwitchyardOAuth

/// Decides where an issuer's metadata are looked for, and which answer counts. Without I/O.
///
/// Issuers refuse the address that they do not serve in many ways: with 401, 403 or 405, with the start page of a web
/// application, or with JSON that says so. So the search goes on after any 4xx, and after a 200 that is no metadata.
public struct MetadataSearch {
    /// The addresses that are still to be asked.
    private var remaining: ArraySlice<String>
    /// The answer that counts so far.
    public private(set) var answer: IncomingResponse?

    public init(for issuer: EndpointURL) {
        remaining = Self.addresses(of: issuer)[...]
    }

    /// The address to ask now; nil when the search is over.
    public var next: String? { remaining.first }

    /// Takes the answer of the address in ``next``.
    public mutating func take(_ answer: IncomingResponse) {
        remaining = remaining.dropFirst()
        if Self.worth(of: answer) >= self.answer.map(Self.worth) ?? 0 { self.answer = answer }
        if !Self.goesOn(after: answer) { remaining = [] }
    }

    private static func goesOn(after answer: IncomingResponse) -> Bool {
        switch answer.status {
        case 400...499: true
        case 200: !isMetadata(answer.body)
        default: false
        }
    }

    /// The value of an answer for an operator's diagnosis: metadata is the highest, "not found" the lowest.
    private static func worth(of answer: IncomingResponse) -> Int {
        switch answer.status {
        case 404: 0
        case 200 where isMetadata(answer.body): 3
        case 200 where (try? JSONValue.parse(answer.body))?.object?["issuer"] != nil: 2
        default: 1
        }
    }

    /// Whether a document has the members of metadata, with any values. A wrong value is for the operator to see, so
    /// another address does not replace it.
    private static func isMetadata(_ body: [UInt8]) -> Bool {
        guard let json = (try? JSONValue.parse(body))?.object else { return false }
        return ["issuer", "authorization_endpoint", "token_endpoint"].allSatisfy { json[$0] != nil }
    }

    /// All addresses of an issuer, in the order in which they are asked.
    public static func addresses(of issuer: EndpointURL) -> [String] {
        [openIDConfiguration(issuer), authorizationServer(issuer)]
    }

    /// Behind the issuer identifier (OpenID Connect Discovery section 4).
    private static func openIDConfiguration(_ issuer: EndpointURL) -> String {
        withoutSlash(issuer.text) + "/.well-known/openid-configuration"
    }

    /// Between the host and the path of the issuer identifier (RFC 8414 section 3.1).
    private static func authorizationServer(_ issuer: EndpointURL) -> String {
        let text = withoutSlash(issuer.text)
        let name = "/.well-known/oauth-authorization-server"
        guard let scheme = text.firstRange(of: "://"),
            let path = text[scheme.upperBound...].firstIndex(of: "/")
        else { return text + name }
        return text[..<path] + name + text[path...]
    }

    private static func withoutSlash(_ text: String) -> String {
        text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
