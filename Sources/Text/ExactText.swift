extension StringProtocol {
    /// Whether both are the same bytes in UTF-8, as identifiers are compared (RFC 3986 section 6.2.1). For `==` different
    /// code points may be the same: a `K` is one with the sign for kelvin.
    public func isExactly(_ other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}
