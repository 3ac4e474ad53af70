/// What this library tells of its work, and to whom.
public struct LoggingConfiguration: Sendable {
    /// How much is told. Each level has all that come before it.
    public enum Level: Int, Sendable, Comparable, CaseIterable {
        /// Nothing at all.
        case nothing
        /// What failed.
        case error
        /// What was not as it should be, and went on.
        case warning
        /// A line or two for each request.
        case info
        /// Every step.
        case verbose

        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// One line. Tokens, codes, states, passwords and keys are in none, whatever is set here.
    public struct Message: Sendable {
        /// How much it matters.
        public let level: Level
        /// Without a line end or other control characters.
        public let text: String
        /// Whether it may name a person; never when ``LoggingConfiguration/masksPersonalData`` is on.
        public let containsPersonalData: Bool
    }

    /// The last level that is told.
    public var level = Level.info
    /// Whether names of people are replaced by marks that only tell them apart.
    public var masksPersonalData = true
    /// Called on a thread of this library; it must not wait for it. nil: nothing is told.
    public var callback: (@Sendable (Message) -> Void)?

    /// Tells nothing until there is a ``callback``.
    public init() {}
}
