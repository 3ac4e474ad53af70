internal import SwitchyardText

/// A request for a tool on another machine.
public struct ToolRequest: Sendable {
    public let endpoint: LoopbackEndpoint
    public let isPost: Bool
    /// Path and query, byte for byte.
    public let target: String
    public let fields: [(String, String)]
    public let body: [UInt8]

    /// Fields that concern only this machine and its browser, and not a tool on another machine.
    private static let withheld: Set<String> = [
        "cookie", "authorization", "proxy-authorization", "proxy-connection", "connection", "keep-alive", "te",
        "trailer",
        "transfer-encoding", "upgrade", "content-length", "expect", "host", "accept-encoding",
    ]

    private init(
        _ endpoint: LoopbackEndpoint, isPost: Bool = false, target: String, fields: [(String, String)],
        body: [UInt8] = []
    ) {
        self.endpoint = endpoint
        self.isPost = isPost
        self.target = target
        self.fields = [("Host", endpoint.authority), ("Connection", "close"), ("Accept-Encoding", "")] + fields
        self.body = body
    }

    /// A callback: method, target and content byte for byte.
    init(_ request: ArrivedRequest, to endpoint: LoopbackEndpoint) {
        let fields = request.fields.compactMap { name, value -> (String, String)? in
            guard !Self.withheld.contains(name.asciiLowercased), value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
                !value.isEmpty, let text = String(validating: value, as: UTF8.self)
            else { return nil }
            return (name, text)
        }
        let isPost = request.method == "POST"
        self.init(
            endpoint, isPost: isPost, target: request.target, fields: fields, body: isPost ? request.body : [])
    }

    /// Asks for a page as a browser would, without content.
    public init(_ page: LocalPage) {
        self.init(page.endpoint, target: page.target, fields: [("Accept", "text/html,*/*;q=0.8")])
    }
}
