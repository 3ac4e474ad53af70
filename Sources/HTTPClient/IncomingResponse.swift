internal import SwitchyardText

/// An answer that came back whole.
public struct IncomingResponse: Sendable {
    public let status: Int
    public let body: [UInt8]
    /// The certificates that the server showed, its own first, in PEM. Empty unless requested, and on a reused
    /// connection.
    public var certificates: [UInt8] = []
    /// The header lines as they came, each with its line end; parsed only on demand.
    private let headerBytes: [UInt8]

    init(status: Int, headerBytes: [UInt8], body: [UInt8]) {
        self.status = status
        self.headerBytes = headerBytes
        self.body = body
    }

    /// The value of the first header line with this name, without the white space around it; nil without one.
    /// - Parameter name: compared without regard to case (RFC 9110 section 5.1).
    public func header(_ name: String) -> String? {
        let name = Array(name.utf8)
        for line in headerBytes.split(separator: UInt8(ascii: "\n")) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon - line.startIndex == name.count,
                zip(line, name).allSatisfy({ ASCII.lowercased($0) == ASCII.lowercased($1) })
            else { continue }
            return String(decoding: trimmed(line[(colon + 1)...]), as: UTF8.self)
        }
        return nil
    }

    /// Every header field, by its name in lower case; values of a field that stands more than once are
    /// joined with `, `.
    public var headers: [String: String] {
        var fields: [String: String] = [:]
        for line in headerBytes.split(separator: UInt8(ascii: "\n")) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), !line.starts(with: "HTTP/".utf8) else { continue }
            let name = String(decoding: line[..<colon].map(ASCII.lowercased), as: UTF8.self)
            let value = String(decoding: trimmed(line[(colon + 1)...]), as: UTF8.self)
            fields[name] = fields[name].map { "\($0), \(value)" } ?? value
        }
        return fields
    }

    private func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0D].contains($0) }
        let start = value.drop(while: isSpace)
        guard let end = start.lastIndex(where: { !isSpace($0) }) else { return [] }
        return start[...end]
    }
}

extension IncomingResponse {
    /// The longest wait that is passed on, in seconds. A caller that must wait for longer asks earlier, or gives up.
    private static let longestWait = 86_400

    /// `Retry-After` (RFC 9110 section 10.2.3) in both of its forms, as whole seconds from now, 0 to those of a day;
    /// nil when the header is absent or unreadable.
    /// - Parameter now: in seconds since 1970.
    public func retryAfter(now: Int64) -> Int? {
        guard let header = header("Retry-After"), !header.isEmpty else { return nil }
        if header.utf8.allSatisfy(ASCII.isDigit) { return min(Int(header) ?? .max, Self.longestWait) }
        return HTTPDate.parse(header).map { Int(clamping: min(max(0, $0 - now), Int64(Self.longestWait))) }
    }
}
