internal import SwitchyardText

/// How long an issuer's documents are kept.
enum CacheLifetime {
    static let minimum: Int64 = 5 * 60
    static let standard: Int64 = 60 * 60
    static let maximum: Int64 = 24 * 60 * 60

    /// How long a document that is no longer fresh serves at once, with a fetch behind its back. An older one still
    /// serves, but only after a fetch that failed.
    static let staleLimit = Duration.seconds(maximum)

    /// How long a failed fetch is remembered.
    static let failure = Duration.seconds(5)

    /// The least time between two fetches that tokens with unknown keys cause.
    static let forcedFetchInterval = Duration.seconds(30)

    /// What a `Cache-Control` header says (RFC 9111 section 5.2.2), within 5 minutes to 24 hours: `max-age`; the least
    /// for `no-store` and `no-cache`, since each sign-in must not become a fetch; 1 hour when it says nothing.
    static func duration(cacheControl: String?) -> Duration {
        var seconds = standard
        for directive in (cacheControl ?? "").asciiLowercased.utf8.split(separator: UInt8(ascii: ",")) {
            let directive = Substring(directive).drop { $0 == " " }
            if directive.hasPrefix("no-store") || directive.hasPrefix("no-cache") { return .seconds(minimum) }
            if directive.hasPrefix("max-age="), let age = Int64(directive.dropFirst(8)) { seconds = age }
        }
        return .seconds(min(max(seconds, minimum), maximum))
    }
}
