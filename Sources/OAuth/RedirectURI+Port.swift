extension RedirectURI {
    /// The text with a port of the app's choice in a loopback URI that names none (RFC 8252 section 7.3). Any other URI,
    /// and one without `port`, stays as it is registered.
    public func text(port: UInt16?) -> String {
        guard let port, case .loopback = form, let scheme = text.firstRange(of: "://") else { return text }
        let authority = text[scheme.upperBound...].prefix { $0 != "/" }
        // An IPv6 address is in brackets, so a colon behind the last of them is a port's.
        guard !authority.drop(while: { $0 != "]" }).contains(":"), authority.hasSuffix("]") || !authority.contains(":")
        else { return text }
        return text[..<authority.endIndex] + ":\(port)" + text[authority.endIndex...]
    }

    /// The port that a loopback URI names; nil when it names none, and for any other URI.
    public var loopbackPort: UInt16? {
        guard case .loopback = form, let scheme = text.firstRange(of: "://") else { return nil }
        let authority = text[scheme.upperBound...].prefix { $0 != "/" }
        let afterHost = authority.hasPrefix("[") ? authority.drop { $0 != "]" } : authority[...]
        return afterHost.firstIndex(of: ":").flatMap { UInt16(afterHost[afterHost.index(after: $0)...]) }
    }
}
