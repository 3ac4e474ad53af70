internal import SwitchyardText

/// The host and port of a server, as a URL or a proxy's address names them.
struct ServerName: Hashable, CustomStringConvertible {
    /// In lower case, and without the brackets of an IPv6 address.
    let host: String
    let port: Int

    /// Reads `HOST`, `HOST:PORT`, `[IPv6]` or `[IPv6]:PORT`.
    init?(authority: Substring, standardPort: Int) {
        var host = authority
        var port: Substring?
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[authority.index(after: authority.startIndex)..<end]
            let rest = authority[authority.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            if !rest.isEmpty { port = rest.dropFirst() }
            guard host.contains(":") else { return nil }
        } else if let colon = authority.firstIndex(of: ":") {
            host = authority[..<colon]
            port = authority[authority.index(after: colon)...]
            guard port?.contains(":") == false else { return nil }
        }
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"@/?#[]\\".utf8.contains($0) }) else {
            return nil
        }
        if let port, !port.isEmpty {
            guard port.utf8.allSatisfy(ASCII.isDigit), let number = Int(port), (1...65535).contains(number) else {
                return nil
            }
            self.port = number
        } else {
            self.port = standardPort
        }
        self.host = ASCII.lowercasedText(Array(host.utf8)[...])
    }

    /// The server of an absolute http or https URL, without its user information.
    init?(of url: String) {
        guard let separator = url.firstRange(of: "://") else { return nil }
        let scheme = url[..<separator.lowerBound].lowercased()
        var authority = url[separator.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        self.init(authority: authority, standardPort: scheme == "http" ? 80 : 443)
    }

    var description: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}
