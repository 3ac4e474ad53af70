internal import SwitchyardText

/// A request that came to a port of this machine which a tool of another machine is waiting at.
public struct ArrivedRequest: Sendable {
    public let method: String
    /// Host and port as the client named them, in lower case.
    public let authority: String
    /// The path as sent, undecoded.
    public let path: String
    public let query: [UInt8]?
    /// In their order.
    public let fields: [(name: String, value: [UInt8])]
    public let body: [UInt8]
    /// Whether the browser only looks ahead.
    public let isPrefetch: Bool
    /// Whether a person's browser goes there, as far as it says: not a page that fetches, frames or loads it.
    public let isNavigation: Bool

    public init(
        method: String, authority: String, path: String, query: [UInt8]?, fields: [(name: String, value: [UInt8])],
        body: [UInt8], isPrefetch: Bool, isNavigation: Bool
    ) {
        self.method = method
        self.authority = authority.asciiLowercased
        self.path = path
        self.query = query
        self.fields = fields
        self.body = body
        self.isPrefetch = isPrefetch
        self.isNavigation = isNavigation
    }

    /// Whether it comes from a browser that says so. Programs without an address bar, and old browsers, do not.
    public var namesItsMode: Bool { fields.contains { $0.name.asciiLowercased == "sec-fetch-mode" } }

    var target: String { path + (query.map { "?" + String(decoding: $0, as: UTF8.self) } ?? "") }

    /// Every value of a field.
    /// - Parameter name: in lower case.
    func values(_ name: String) -> [String] {
        fields.filter { ASCII.equalIgnoringCase($0.name, name) }.map { String(decoding: $0.value, as: UTF8.self) }
    }

    /// The media type of the content, in lower case and without parameters.
    var mediaType: String? {
        let types = values("content-type")
        return types.count == 1 ? types[0].prefix(before: UInt8(ascii: ";")).trimmingSpaces().asciiLowercased : nil
    }
}
