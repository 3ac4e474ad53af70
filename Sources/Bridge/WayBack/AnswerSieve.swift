internal import SwitchyardText

/// What of a tool's answer the browser gets.
public struct SievedAnswer: Sendable {
    public let status: Int
    public let fields: [(name: String, value: [UInt8])]
    public let body: [UInt8]
    /// The page of its own that the tool sends the browser to: its target, byte for byte.
    public let nextPage: String?
}

/// The sieve for what comes from a tool of another machine: it may show its page, but must not act on the browser here, which
/// takes it for a page of this machine.
public enum AnswerSieve {
    private static let withheld: Set<String> = [
        // What belongs to the connection to the tool.
        "connection", "keep-alive", "proxy-authenticate", "proxy-connection", "te", "trailer", "transfer-encoding",
        "upgrade", "content-length", "date",
        // Cookies go to every service of this machine, whatever its port.
        "set-cookie", "set-cookie2",
        // What would change how the browser treats other services of this machine, or outlive the page.
        "clear-site-data", "service-worker-allowed", "strict-transport-security", "alt-svc", "nel", "report-to",
        "reporting-endpoints", "accept-ch", "critical-ch", "public-key-pins", "speculation-rules", "link",
        "access-control-allow-origin", "access-control-allow-credentials", "access-control-allow-methods",
        "access-control-allow-headers", "access-control-allow-private-network", "origin-agent-cluster",
        // What would ask for a password, or send the browser on without saying so in its status.
        "www-authenticate", "refresh", "location", "referrer-policy",
        // What a browser keeps would be shown in the place of this machine's own service at that port, later.
        "cache-control", "expires", "pragma", "etag", "last-modified",
        // A file on this machine is no page.
        "content-disposition",
    ]

    /// - Returns: nil where the answer sends the browser somewhere that it may not go.
    public static func sieve(_ answer: ToolAnswer, from address: SignInAddress) -> SievedAnswer? {
        var fields = answer.fields.filter { !withheld.contains($0.name.asciiLowercased) }
        // Beside a policy of the tool's: what either forbids is forbidden. No script, no form, no service worker.
        fields.append(("Content-Security-Policy", Array("sandbox".utf8)))
        // The address holds a code.
        fields.append(("Referrer-Policy", Array("no-referrer".utf8)))
        fields.append(("Cache-Control", Array("no-store".utf8)))
        guard let location = answer.location else {
            // A status that sends the browser on has to say where.
            guard !(300..<400).contains(answer.status) else { return nil }
            return SievedAnswer(status: answer.status, fields: fields, body: answer.body, nextPage: nil)
        }
        guard let place = Self.place(location, from: address.redirectURI) else { return nil }
        switch place {
        case .own(let target):
            fields.append(("Location", Array((address.redirectURI.origin + target).utf8)))
            // Always by GET: the callback itself goes to the tool once.
            return SievedAnswer(
                status: 303, fields: fields, body: answer.body, nextPage: String(target.prefix { $0 != "#" }))
        case .web(let url):
            fields.append(("Location", Array(url.utf8)))
            return SievedAnswer(status: 303, fields: fields, body: answer.body, nextPage: nil)
        }
    }

    private enum Place {
        case own(String)
        case web(String)
    }

    /// Where a `Location` leads: to the tool itself, or to a page of the web. Other services of this machine are neither.
    private static func place(_ location: String, from endpoint: LoopbackEndpoint) -> Place? {
        guard !location.isEmpty, location.utf8.count <= AddressJudge.maximumBytes,
            location.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return nil }
        if location.asciiLowercased.hasPrefix("https://") {
            // Another sign-in is no page to end at: it would go on without the person's word, and come back to a port at which
            // this tool may be waiting with a second one.
            switch AddressJudge.judge(String(location.prefix { $0 != "#" })) {
            case .link(_, let objection) where !objection.isOfSignIn: return .web(location)
            default: return nil
            }
        }
        var target = location[...]
        if let origin = endpoint.origins.first(where: location.hasPrefix) {
            target = location.dropFirst(origin.count)
            if target.isEmpty || target.hasPrefix("?") || target.hasPrefix("#") { target = "/" + target }
        } else if !location.hasPrefix("/") {
            // Beside the page that it comes from; a colon before the first slash is a scheme.
            guard !location.prefix(while: { $0 != "/" && $0 != "?" && $0 != "#" }).contains(":") else { return nil }
            let folder = endpoint.path.lastIndex(of: "/").map { endpoint.path[...$0] } ?? "/"
            target = (location.hasPrefix("?") ? endpoint.path : String(folder)) + target
        }
        guard target.hasPrefix("/"), !target.hasPrefix("//") else { return nil }
        // A browser takes dot segments away before it asks, and what it asks for would be another target.
        let path = target.prefix { $0 != "?" && $0 != "#" }
        guard
            !path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." || $0.lowercased().contains("%2e") })
        else {
            return nil
        }
        return .own(String(target))
    }
}
