/// An issuer whose metadata or keys could not be had, and of which nothing older is known.
public struct IssuerUnavailable: Error, Hashable, Sendable, CustomStringConvertible {
    /// The issuer's name in the configuration.
    public let issuer: String
    /// What went wrong; for operators.
    public let reason: String
    /// Whether this machine may be offline; nil when that is not known.
    public var isOffline: Bool?
    /// When it will be tried again, in whole seconds from now; at least 1.
    public let retryAfter: Int

    public var description: String { "issuer \"\(issuer)\" is unavailable: \(reason)" }
}
