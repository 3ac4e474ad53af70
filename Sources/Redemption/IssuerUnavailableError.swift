public import SwitchyardOAuth

/// An issuer with metadata or keys that could not be fetched, without an older version at hand.
public struct IssuerUnavailableError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The cause that kept the issuer's document away.
    public enum Cause: Hashable, Sendable {
        /// No answer came, for this cause.
        case unreachable(SignInObstacle.Name)
        /// The answer has another HTTP status than 200.
        case status(Int)
        /// The answer is not what an issuer of this name says.
        case wrong
    }

    /// The issuer's name in the configuration.
    public let issuer: String
    /// The failure; for operators.
    public let reason: String
    public let cause: Cause
    /// When it will be tried again, in whole seconds from now; at least 1.
    public let retryAfter: Int

    public var description: String { "issuer \"\(issuer)\" is unavailable: \(reason)" }

    /// Whether this machine may be offline; nil when that is not known.
    public var isOffline: Bool? {
        switch cause {
        case .unreachable(.offline): true
        case .unreachable(.timedOut), .unreachable(.interrupted), .status, .wrong: nil
        case .unreachable: false
        }
    }

    /// The cause in one word.
    var obstacle: SignInObstacle {
        switch cause {
        case .unreachable(let name): .named(name)
        case .status(let status): .status(status)
        case .wrong: .named(.wrongAnswer)
        }
    }
}
