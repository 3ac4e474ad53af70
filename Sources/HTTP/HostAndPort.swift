internal import SwitchyardText

/// Host and port of a request, as the client named them: the host lower-cased, IPv6 in brackets.
public struct HostAndPort: Hashable, Sendable {
    /// Lower-case bytes of a registered name or an IP literal, without the port.
    public let host: [UInt8]
    /// nil when the client named no port.
    public let port: Int?

    /// Parses `uri-host [ ":" port ]` (RFC 9110 section 7.2). nil when it is not exactly that, or empty.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard let position = Position(in: bytes) else { return nil }
        self.init(bytes[position.host], position.port)
    }

    /// - Parameter host: in any case.
    init(_ host: ArraySlice<UInt8>, _ port: Int?) {
        self.host = host.map(ASCII.lowercased)
        self.port = port
    }

    /// The position of a host among the bytes that it was read from, so that a comparison needs no copy.
    struct Position: Sendable {
        let host: Range<Int>
        let port: Int?
    }
}

extension HostAndPort.Position {
    /// nil when the bytes are not exactly a host and perhaps a port.
    init?(in bytes: ArraySlice<UInt8>) {
        guard let first = bytes.first else { return nil }
        var end = bytes.startIndex
        if first == UInt8(ascii: "[") {
            guard let close = bytes.firstIndex(of: UInt8(ascii: "]")), close > bytes.startIndex + 1,
                bytes[(bytes.startIndex + 1)..<close].allSatisfy(Self.isAddressByte)
            else { return nil }
            end = close + 1
        } else {
            while end < bytes.endIndex, ByteClass.isHost(bytes[end]) { end += 1 }
            guard end > bytes.startIndex else { return nil }
        }
        var port: Int?
        if end < bytes.endIndex {
            guard bytes[end] == UInt8(ascii: ":") else { return nil }
            let digits = bytes[(end + 1)...]
            guard digits.count <= 5 else { return nil }
            var number = 0
            for digit in digits {
                guard ASCII.isDigit(digit) else { return nil }
                number = number * 10 + Int(digit - 48)
            }
            guard number <= 65535 else { return nil }
            port = digits.isEmpty ? nil : number
        }
        self.init(host: bytes.startIndex..<end, port: port)
    }

    private static func isAddressByte(_ byte: UInt8) -> Bool {
        ASCII.isHexDigit(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }
}
