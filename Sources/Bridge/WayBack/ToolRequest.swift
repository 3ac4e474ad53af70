internal import SwitchyardText

/// A request to a tool, as bytes of HTTP/1.1.
public enum ToolRequest {
    /// Fields that concern only this machine and its browser, and not a tool on another machine.
    private static let withheld: Set<String> = [
        "cookie", "authorization", "proxy-authorization", "proxy-connection", "connection", "keep-alive", "te",
        "trailer",
        "transfer-encoding", "upgrade", "content-length", "expect", "host", "accept-encoding",
    ]

    /// A callback: method, target and content byte for byte.
    static func bytes(_ request: ArrivedRequest, to endpoint: LoopbackEndpoint) -> [UInt8] {
        var out = head(request.method, request.target, endpoint)
        for field in request.fields where !withheld.contains(field.name.asciiLowercased) {
            out += Array(field.name.utf8) + Array(": ".utf8) + field.value + Array("\r\n".utf8)
        }
        if request.method == "POST" { out += Array("Content-Length: \(request.body.count)\r\n".utf8) }
        return out + Array("\r\n".utf8) + (request.method == "POST" ? request.body : [])
    }

    /// Asks for a page as a browser would, without content.
    public static func bytes(_ page: LocalPage) -> [UInt8] {
        head("GET", page.target, page.endpoint) + Array("Accept: text/html,*/*;q=0.8\r\n\r\n".utf8)
    }

    private static func head(_ method: String, _ target: String, _ endpoint: LoopbackEndpoint) -> [UInt8] {
        Array("\(method) \(target) HTTP/1.1\r\nHost: \(endpoint.authority)\r\nConnection: close\r\n".utf8)
    }
}
