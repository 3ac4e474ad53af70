internal import SwitchyardText

extension IncomingResponse {
    /// `Retry-After` (RFC 9110 section 10.2.3), in both of its forms: whole seconds from now, 0 or more; nil when the header
    /// is absent or says nothing that can be read.
    /// - Parameter now: in seconds since 1970.
    public func retryAfter(now: Int64) -> Int? {
        guard let header = header("Retry-After"), !header.isEmpty else { return nil }
        if header.utf8.allSatisfy(ASCII.isDigit) { return Int(header) ?? .max }
        return HTTPDate.parse(header).map { Int(max(0, $0 - now)) }
    }
}
