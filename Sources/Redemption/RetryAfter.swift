internal import SwitchyardText

/// The `Retry-After` header (RFC 9110 section 10.2.3), in both of its forms.
enum RetryAfter {
    /// Whole seconds from now, 0 or more; nil when the header is absent or says nothing that can be read.
    static func seconds(_ header: String?, now: Int64) -> Int? {
        guard let header, !header.isEmpty else { return nil }
        if header.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return Int(header) ?? .max }
        return HTTPDate.parse(header).map { Int(max(0, $0 - now)) }
    }
}
