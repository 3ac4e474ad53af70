internal import SwitchyardText

/// The reason why a text is no URL of a protected resource.
public enum ResourceURLError: Error, Hashable, Sendable, CustomStringConvertible {
    case url(EndpointURLError)
    /// The address of its metadata would be too long for an address.
    case tooLong
    /// A path that two programs on its way could read differently.
    case path(RedirectURIError.Kind)
    /// An escape of a character that needs none. The same URL has another spelling, and entries compare the text.
    case needlessEscape

    public var description: String {
        switch self {
        case .url(let error): error.description
        case .tooLong: "is longer than \(ResourceURL.maximumLength) bytes; choose a shorter path"
        case .path(let kind): RedirectURIError(kind, text: "").message
        case .needlessEscape: "escapes a letter, a digit or one of -._~ in its path; write the character itself"
        }
    }
}

/// The URL of a protected resource (RFC 9728 section 1.2, RFC 8707 section 2), such as an MCP server. It may have a query,
/// and no fragment.
public struct ResourceURL: Hashable, Sendable, CustomStringConvertible {
    public let url: EndpointURL
    /// The path as it was written; `/` for an empty one.
    public let path: String

    /// The text, verbatim: the value of the parameter `resource`.
    public var text: String { url.text }
    /// In lower case, without a port.
    public var host: String { url.host }
    /// The scheme, the host and the port, in lower case and without the scheme's default port.
    public var origin: String { url.origin }
    public var description: String { text }

    /// - Parameter allowingLoopbackHTTP: whether http passes on loopback.
    public init(_ text: String, allowingLoopbackHTTP: Bool) throws(ResourceURLError) {
        do throws(EndpointURLError) {
            url = try EndpointURL(text, allowingLoopbackHTTP: allowingLoopbackHTTP)
        } catch {
            throw .url(error)
        }
        let stem = text.prefix { $0 != "?" }.utf8
        guard stem.count <= Self.maximumLength else { throw .tooLong }
        do throws(RedirectURIError.Kind) {
            let parts = try URIParts(stem)
            try parts.checkPath()
            path = parts.path.isEmpty ? "/" : String(decoding: parts.path, as: UTF8.self)
        } catch {
            throw .path(error)
        }
        guard !Self.hasNeedlessEscape(path) else { throw .needlessEscape }
    }

    /// RFC 3986 section 6.2.2.2: `%6D` is `m`.
    private static func hasNeedlessEscape(_ path: String) -> Bool {
        path.split(separator: "%", omittingEmptySubsequences: false).dropFirst().contains { part in
            UInt8(part.prefix(2), radix: 16).map { ASCII.isAlphanumeric($0) || "-._~".utf8.contains($0) } ?? false
        }
    }

    /// Whether `other` is this resource or lies below it: the same origin, and a path that begins with this one's at the
    /// boundary of a segment. A slash at the end of this path makes no difference. A URL with a query covers only itself.
    public func covers(_ other: ResourceURL) -> Bool {
        guard origin == other.origin else { return false }
        if let query = url.query { return path == other.path && other.url.query == query }
        let base = path.hasSuffix("/") ? String(path.dropLast()) : path
        return other.path.isExactly(base) || other.path.utf8.starts(with: (base + "/").utf8)
    }
}

extension ResourceURL {
    /// Where the metadata of the resource may stand (RFC 9728 section 3.1, and MCP 2025-11-25, "Protected Resource Metadata
    /// Discovery Requirements"): between host and path, then at the root.
    public var metadataAddresses: [String] {
        let root = origin + Self.wellKnownPath
        let query = url.query.map { "?\($0)" } ?? ""
        // RFC 9728 section 3.1 drops a slash that follows the host.
        let own = root + (path == "/" ? "" : path) + query
        return own == root ? [root] : [own, root]
    }

    private static let wellKnownPath = "/.well-known/oauth-protected-resource"
    /// In bytes, without the query. The address of the metadata is longer, and has to be an address as well.
    fileprivate static let maximumLength = URIParts.maximumLength - wellKnownPath.utf8.count
}
