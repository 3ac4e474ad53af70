internal import SwitchyardText

/// Redirect URIs with a last segment of a tool's own choice, such as `https://login.contoso.com/tools/codex/*`.
///
/// A pattern only says which URIs a request may name. A callback belongs to the request that named its exact URI.
extension RedirectURI {
    private static let ending = "/*"
    private static let segmentLengths = 1...64

    /// A redirect URI as an app may register it: exact, or a pattern.
    /// - Throws: ``RedirectURIError``; `wildcard` for a `*` that is not the whole last segment behind another one.
    public init(registering text: String) throws(RedirectURIError) {
        guard text.hasSuffix(Self.ending) else {
            try self.init(text)
            return
        }
        let sample: RedirectURI
        do throws(RedirectURIError) {
            sample = try RedirectURI(text.dropLast() + "x")
        } catch {
            throw RedirectURIError(error.kind, text: text)
        }
        switch sample.form {
        // Directly behind the host it would cover the gateway's own pages.
        case .https(_, _, "/x"), .loopback(_, "/x"), .customScheme: throw RedirectURIError(.wildcard, text: text)
        case .https(let host, let port, let path):
            self.init(pattern: text, form: .https(host: host, port: port, path: path.dropLast() + "*"))
        case .loopback(let host, let path):
            self.init(pattern: text, form: .loopback(host: host, path: path.dropLast() + "*"))
        }
    }

    /// The exact URI of a pattern with this last segment; nil for another segment, and for a URI that is no pattern.
    public func filled(with segment: some Collection<UInt8>) -> RedirectURI? {
        guard isPattern, Self.isSegment(segment) else { return nil }
        return try? RedirectURI(text.dropLast() + String(decoding: segment, as: UTF8.self))
    }

    /// The exact URI that a request names below this pattern; nil for any other.
    public func filled(by text: String) -> RedirectURI? {
        guard isPattern, let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")),
            let named = filled(with: text.utf8[text.utf8.index(after: slash)...]), named.text.isExactly(text)
        else { return nil }
        return named
    }

    /// Whether a text can stand for the `*` of a pattern.
    public static func isSegment(_ bytes: some Collection<UInt8>) -> Bool {
        segmentLengths.contains(bytes.count) && bytes.allSatisfy(isSegmentByte)
    }

    /// Whether a byte can stand in such a segment: no dot, no escape.
    public static func isSegmentByte(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
}
