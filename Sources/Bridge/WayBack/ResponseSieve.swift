internal import SwitchyardText

/// The part of a tool's answer that the browser gets.
public struct SievedResponse: Sendable {
    public let status: Int
    public let fields: [(name: String, value: [UInt8])]
    public let body: [UInt8]
    /// The page of its own that the tool sends the browser to: its target, byte for byte.
    public let nextPage: String?

    /// Whether it shows a page of the tool, and sends the browser nowhere.
    public var isPage: Bool { !(300..<400).contains(status) }

    /// Sends the browser on to the redirect URI without parameters, where the tool's page is shown: the address of the
    /// callback holds a code.
    public static func movingOn(from address: SignInAddress) -> SievedResponse {
        let clean = address.redirectURI.path
        return SievedResponse(
            status: 303,
            fields: [
                ("Location", Array((address.redirectURI.origin + clean).utf8)),
                ("Referrer-Policy", Array("no-referrer".utf8)), ("Cache-Control", Array("no-store".utf8)),
            ], body: [], nextPage: clean)
    }
}

/// The filter for answers of a tool on another machine. The tool may show its page, but must not act on the browser
/// here, which takes it for a page of this machine.
public enum ResponseSieve {
    /// The contents that a page can have. Others are shown as text, if at all: several documents in one answer would be several
    /// answers, and a file on this machine is no page.
    private static let shown: Set<String> = ["text/html", "application/xhtml+xml", "text/plain", "application/json"]
    /// Forbids scripts, forms, service workers and all loads, so a page cannot reach the services of this machine and
    /// its network. Only the page's own content is shown: its styles, and pictures in `data:`.
    private static let policy =
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'"

    /// - Returns: nil where the answer sends the browser somewhere that it may not go.
    public static func sieve(_ response: ToolResponse, from address: SignInAddress) -> SievedResponse? {
        // Unknown fields are dropped: browsers learn new fields, and each may act on other services of this machine,
        // outlive the page or tell another site that it was shown.
        var fields = [("Content-Type", Array(contentType(of: response).utf8))]
        fields.append(("X-Content-Type-Options", Array("nosniff".utf8)))
        fields.append(("Content-Security-Policy", Array(policy.utf8)))
        // The address holds a code.
        fields.append(("Referrer-Policy", Array("no-referrer".utf8)))
        fields.append(("Cache-Control", Array("no-store".utf8)))
        guard let location = response.location else {
            // A redirect status must name its target.
            guard !(300..<400).contains(response.status) else { return nil }
            return SievedResponse(status: response.status, fields: fields, body: response.body, nextPage: nil)
        }
        guard let target = Self.target(location, from: address.redirectURI) else { return nil }
        switch target {
        case .own(let target):
            fields.append(("Location", Array((address.redirectURI.origin + target).utf8)))
            // Always by GET: the callback itself goes to the tool once.
            return SievedResponse(
                status: 303, fields: fields, body: response.body, nextPage: String(target.prefix { $0 != "#" }))
        case .web(let url):
            fields.append(("Location", Array(url.utf8)))
            return SievedResponse(status: 303, fields: fields, body: response.body, nextPage: nil)
        }
    }

    /// The content type that the tool names, if a page can have it.
    private static func contentType(of response: ToolResponse) -> String {
        let words = (response.field("content-type") ?? "").split(separator: ";")
            .map { $0.trimmingSpaces().asciiLowercased }
        guard let essence = words.first else {
            // Small tools omit it, and browsers guess from the content.
            let start = response.body.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
            return start.first == UInt8(ascii: "<") ? "text/html" : "text/plain"
        }
        let type = shown.contains(essence) ? essence : "text/plain"
        let charset = words.dropFirst().first { $0.hasPrefix("charset=") }?.dropFirst("charset=".count).filter {
            $0 != "\""
        }
        guard let charset, !charset.isEmpty, charset.allBytes(isCharsetByte) else { return type }
        return "\(type); charset=\(charset)"
    }

    /// RFC 2978 section 2.3, without what no name in use has.
    private static func isCharsetByte(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || "-_.:".utf8.contains(byte)
    }

    private enum RedirectTarget {
        case own(String)
        case web(String)
    }

    /// The target of a `Location`: the tool itself, or a page of the public web. Other services of this machine and of
    /// its network are refused.
    private static func target(_ location: String, from endpoint: LoopbackEndpoint) -> RedirectTarget? {
        guard !location.isEmpty, location.utf8.count <= AddressJudge.maximumBytes,
            location.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return nil }
        if location.asciiLowercased.hasPrefix("https://") {
            // Another sign-in is no page to end at: it would continue without the person's consent, and come back to a
            // port where this tool may wait with a second one.
            switch AddressJudge.judge(String(location.prefix { $0 != "#" })) {
            case .link(let url, let objection) where !objection.isOfSignIn:
                return AddressJudge.specialUse(of: url) == nil ? .web(location) : nil
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
        // A browser removes dot segments before it asks, so it would ask for another target.
        let path = target.prefix { $0 != "?" && $0 != "#" }
        guard
            !path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." || $0.lowercased().contains("%2e") })
        else {
            return nil
        }
        return .own(String(target))
    }
}
