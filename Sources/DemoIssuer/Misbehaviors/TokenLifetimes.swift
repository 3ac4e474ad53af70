/// How long tokens are good, where a request asks for something else than usual: `expires_in=60`. In seconds.
struct TokenLifetimes: Sendable {
    /// What can be chosen, as the token response names it.
    enum Name: String, Sendable, CaseIterable {
        case expiresIn = "expires_in"
        /// When to refresh although the token is still good.
        case refreshIn = "refresh_in"
        /// How long the token is taken while the issuer is out of reach.
        case extendedExpiresIn = "ext_expires_in"
    }

    private(set) var seconds: [Name: Int64] = [:]

    /// Ten years at most.
    private static let range: ClosedRange<Int64> = 0...315_360_000

    /// Whether the text is one of them, with a number from 0 to ten years.
    mutating func insert(_ text: String) -> Bool {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let name = Name(rawValue: String(parts[0])), let value = Int64(parts[1]),
            Self.range.contains(value)
        else { return false }
        seconds[name] = value
        return true
    }

    /// Those of `other` win.
    mutating func merge(_ other: TokenLifetimes) {
        seconds.merge(other.seconds) { $1 }
    }
}
