internal import HTTP
internal import Routing

/// The `Forwarded` header (RFC 7239).
enum ForwardedField {
    /// Whom each hop asked for, in order; nil for one that does not say, or says it in a way that is no address.
    static func addresses(_ value: String) -> [IPAddress?] {
        split(value.utf8[...], at: UInt8(ascii: ",")).filter { !$0.allSatisfy { $0 == 0x20 || $0 == 0x09 } }
            .map(address(ofElement:))
    }

    private static func address(ofElement element: Substring.UTF8View) -> IPAddress? {
        var nodes: [Substring] = []
        for pair in split(element, at: UInt8(ascii: ";")) {
            let parts = Substring(pair).split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].trimmingSpaces().asciiLowercased == "for" else { continue }
            nodes.append(parts[1].trimmingSpaces())
        }
        return nodes.count == 1 ? address(ofNode: nodes[0]) : nil
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

    /// Parts between separators that stand outside of quotes.
    private static func split(_ text: Substring.UTF8View, at separator: UInt8) -> [Substring.UTF8View] {
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
        return parts + [text[start...]]
    }
}
