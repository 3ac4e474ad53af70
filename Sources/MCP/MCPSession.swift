public import SwitchyardJSON
internal import SwitchyardText

/// The knowledge of a client's session at the server, and the header fields that follow from it. Without I/O.
///
/// From revision 2026-07-28 on there is no session: each message names its revision. Before, `initialize` makes one.
public struct MCPSession: Sendable {
    /// The session's id at the server; nil where the server gave none.
    public private(set) var id: String?
    /// The revision that `initialize` has agreed on.
    public private(set) var revision: String?
    /// Counts the sessions, so that of two calls that failed with the old session only one makes a new one.
    public private(set) var generation = 0
    /// The client's own messages, with which a session can begin again.
    public private(set) var initialize: MCPMessage?
    public private(set) var initialized: MCPMessage?
    public var tools = ToolHeaders()

    /// Requests that name one thing, and the parameter with its name.
    private static let named = ["tools/call": "name", "prompts/get": "name", "resources/read": "uri"]

    public init() {}

    /// Notes the client's messages that begin a session.
    public mutating func note(_ message: MCPMessage) {
        switch message.kind {
        case .request(_, "initialize"):
            initialize = message
            initialized = nil
            id = nil
            revision = nil
            generation += 1
        case .notification("notifications/initialized"): initialized = message
        case .request, .notification, .response, .anonymousError: break
        }
    }

    /// Takes the answer to `initialize`. The session before it is over; until then it stays, also where the server does not know
    /// it any more, so that the next call finds that out and a new one is tried again.
    /// - Parameters:
    ///   - id: the value of `Mcp-Session-Id`.
    ///   - result: nil for an error.
    /// - Returns: false for an id that cannot be sent back (2025-11-25, "Session Management": visible ASCII).
    public mutating func begin(id: String?, _ result: JSONObject?) -> Bool {
        guard let result else { return true }
        guard id.map({ Self.isVisible($0, maximum: 4096) }) ?? true else { return false }
        self.id = id
        revision = result["protocolVersion"]?.string.flatMap { Self.isVisible($0, maximum: 64) ? $0 : nil }
        generation += 1
        return true
    }

    /// Whether the server can send messages by itself and continue streams: only before 2026-07-28.
    public var hasStreams: Bool { initialize != nil }

    // MARK: Header fields

    /// The fields of the POST that carries a message.
    /// - Returns: nil if the message names a revision that no header field can carry.
    public func fields(for message: MCPMessage) -> [(String, String)]? {
        let accept = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")]
        guard let own = message.ownRevision else {
            return accept + (message.method == "initialize" ? [] : fields)
        }
        guard Self.isVisible(own, maximum: 64) else { return nil }
        return accept + [("MCP-Protocol-Version", own)] + mirrored(message)
    }

    /// The fields that each request of the session has.
    public var fields: [(String, String)] {
        (revision.map { [("MCP-Protocol-Version", $0)] } ?? []) + (id.map { [("Mcp-Session-Id", $0)] } ?? [])
    }

    private func mirrored(_ message: MCPMessage) -> [(String, String)] {
        guard let method = message.method else { return [] }
        var fields = [("Mcp-Method", HeaderValue.encode(method))]
        if let parameter = Self.named[method], let name = message.params?[parameter]?.string {
            fields.append(("Mcp-Name", HeaderValue.encode(name)))
        }
        if method == "tools/call", let name = message.params?["name"]?.string {
            fields += tools.fields(tool: name, arguments: message.params?["arguments"]?.object)
        }
        return fields
    }

    private static func isVisible(_ text: String, maximum: Int) -> Bool {
        !text.isEmpty && text.utf8.count <= maximum && text.allBytes { (0x21...0x7E).contains($0) }
    }
}
