/// A redirect URI that an app has registered (RFC 6749 section 3.1.2, RFC 8252 section 7).
///
/// A value of this type is valid: absolute, ASCII, without query, fragment, user name, wildcard or other parts that two
/// programs could read differently, and http only on loopback. Equal if the text is equal; callbacks are matched by
/// ``form``. Safe from any thread.
public struct RedirectURI: Hashable, Sendable, CustomStringConvertible {
    /// The text exactly as registered; issuers get this.
    public let text: String
    /// How it is matched. Two URIs with one form cannot be told apart.
    public let form: Form
    /// Whether its last segment is `*`, which stands for any one segment: a request names the exact URI.
    public let isPattern: Bool

    /// - Parameter isElsewhere: whether it is an address to send browsers on to, and no redirect URI of a gateway.
    /// - Throws: ``RedirectURIError`` with the first reason against it.
    public init(_ text: String, isElsewhere: Bool = false) throws(RedirectURIError) {
        do throws(RedirectURIError.Kind) {
            form = try Form(base: text.utf8)
            if !isElsewhere, case .https(_, _, let path) = form, Self.reservedPaths.contains(where: path.hasPrefix) {
                throw .reservedPath
            }
        } catch {
            throw RedirectURIError(error, text: text)
        }
        self.text = text
        isPattern = false
    }

    init(pattern text: String, form: Form) {
        (self.text, self.form, isPattern) = (text, form, true)
    }

    public var description: String { text }

    /// The redirect URI that MSAL gives an app without one of its own. Only a bundle ID of letters, digits, dots and
    /// hyphens makes a valid one.
    public static func defaultURI(bundleID: String) -> String { "msauth.\(bundleID)://auth" }

    /// The paths of the gateway's own endpoints; an https redirect URI must not be below them.
    public static let reservedPaths = ["/v1/", "/done/", "/start/", "/clients/", "/.well-known/"]
}

extension RedirectURI {
    /// The text with a port of the app's choice in a loopback URI without a port (RFC 8252 section 7.3). Other URIs,
    /// and a call without `port`, keep the registered text.
    public func text(port: UInt16?) -> String {
        guard let port, case .loopback = form, let scheme = text.firstRange(of: "://") else { return text }
        let authority = text[scheme.upperBound...].prefix { $0 != "/" }
        // An IPv6 address is in brackets, so a colon behind the last of them is a port's.
        guard !authority.drop(while: { $0 != "]" }).contains(":"), authority.hasSuffix("]") || !authority.contains(":")
        else { return text }
        return text[..<authority.endIndex] + ":\(port)" + text[authority.endIndex...]
    }

    /// The port in a loopback URI; nil without one, and for other URIs.
    public var loopbackPort: UInt16? {
        guard case .loopback = form, let scheme = text.firstRange(of: "://") else { return nil }
        let authority = text[scheme.upperBound...].prefix { $0 != "/" }
        let afterHost = authority.hasPrefix("[") ? authority.drop { $0 != "]" } : authority[...]
        return afterHost.firstIndex(of: ":").flatMap { UInt16(afterHost[afterHost.index(after: $0)...]) }
    }
}
