/// A GUID, as Microsoft's issuers name tenants and people, or a UUID (RFC 9562 section 4). Two that
/// differ in case are one.
public struct GUID: Hashable, Sendable, CustomStringConvertible {
    /// 36 characters in lower case.
    public let text: String

    /// nil unless `text` is 8, 4, 4, 4 and 12 hexadecimal digits with hyphens between; either case is taken.
    public init?(_ text: some StringProtocol) {
        let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard groups.map(\.count) == [8, 4, 4, 4, 12], groups.allSatisfy({ $0.allSatisfy(ASCII.isHexDigit) }) else {
            return nil
        }
        self.text = text.asciiLowercased
    }

    public var description: String { text }
}
