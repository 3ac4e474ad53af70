internal import SwitchyardHTTP
internal import SwitchyardRouting
internal import SwitchyardText

/// The `Forwarded` header (RFC 7239).
enum ForwardedField {
    /// The client that each hop asked for, in order; nil for a hop that names no address. A malformed value is one nil:
    /// an open quote from a client would hide the part that a proxy wrote behind it.
    static func addresses(_ value: String) -> [IPAddress?] {
        guard let elements = split(value.utf8[...], at: UInt8(ascii: ",")) else { return [nil] }
        var addresses: [IPAddress?] = []
        for element in elements where !Substring(element).trimmingSpaces().isEmpty {
            guard let pairs = pairs(element) else { return [nil] }
            let nodes = pairs.filter { $0.name == "for" }
            addresses.append(nodes.count == 1 ? address(ofNode: nodes[0].value) : nil)
        }
        return addresses
    }

    /// The parameters of one hop; nil unless each is a name and a value, which is a token or stands in quotes.
    private static func pairs(_ element: Substring.UTF8View) -> [(name: String, value: Substring)]? {
        var pairs: [(String, Substring)] = []
        for part in split(element, at: UInt8(ascii: ";")) ?? [] {
            let text = Substring(part).trimmingSpaces()
            if text.isEmpty { continue }
            guard let equals = text.firstIndex(of: "=") else { return nil }
            let (name, value) = (text[..<equals], text[text.index(after: equals)...])
            guard isToken(name), isToken(value) || isQuoted(value) else { return nil }
            pairs.append((name.asciiLowercased, value))
        }
        return pairs
    }

    /// RFC 9110 section 5.6.2; colons and brackets pass as well, which some proxies write without quotes, and
    /// which then make no address.
    private static func isToken(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"\\,;=".utf8.contains($0) }
    }

    private static func isQuoted(_ text: Substring) -> Bool {
        guard text.utf8.count >= 2, text.first == "\"", text.last == "\"" else { return false }
        var isEscaped = false
        for byte in text.utf8.dropFirst().dropLast() {
            if !isEscaped, byte == UInt8(ascii: "\"") { return false }
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        }
        return !isEscaped
    }

    /// `192.0.2.43`, `"192.0.2.43:47011"`, `"[2001:db8::17]:47011"`; what has a colon stands in quotes.
    private static func address(ofNode text: Substring) -> IPAddress? {
        var node = text
        if node.first == "\"" {
            guard node.count > 2, node.last == "\"" else { return nil }
            node = node.dropFirst().dropLast()
        } else if node.contains(":") {
            return nil
        }
        var host = node
        var port: Substring?
        if node.first == "[" {
            guard let end = node.firstIndex(of: "]") else { return nil }
            host = node[node.index(after: node.startIndex)..<end]
            let rest = node[node.index(after: end)...]
            guard rest.isEmpty || rest.first == ":" else { return nil }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else if let colon = node.firstIndex(of: ":") {
            host = node[..<colon]
            port = node[node.index(after: colon)...]
        }
        guard port.map({ isPort($0) }) ?? true, let address = IPAddress(String(host)),
            address.isIPv4 == (node.first != "[")
        else { return nil }
        return address
    }

    /// A number, or one that is kept secret.
    private static func isPort(_ text: Substring) -> Bool {
        let isNumber = (1...5).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isNumber || (text.first == "_" && text.count > 1)
    }

    /// Parts between separators that stand outside of quotes; nil when a quote stays open.
    private static func split(_ text: Substring.UTF8View, at separator: UInt8) -> [Substring.UTF8View]? {
        var parts: [Substring.UTF8View] = []
        var start = text.startIndex
        var isQuoted = false
        var isEscaped = false
        for index in text.indices {
            let byte = text[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == separator, !isQuoted {
                parts.append(text[start..<index])
                start = text.index(after: index)
            }
        }
        return isQuoted ? nil : parts + [text[start...]]
    }
}
