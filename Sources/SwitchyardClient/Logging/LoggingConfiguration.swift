/// What this library tells of its work, and to whom.
public struct LoggingConfiguration: Sendable {
    public enum Level: Int, Sendable, Comparable, CaseIterable {
        case nothing, error, warning, info, verbose

        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// One line. Tokens, codes, states, passwords and keys are in none, whatever is set here.
    public struct Message: Sendable {
        public let level: Level
        public let text: String
        /// Whether it may name a person; never when ``LoggingConfiguration/masksPersonalData`` is on.
        public let containsPersonalData: Bool
    }

    public var level = Level.info
    /// Whether names of people are replaced by marks that only tell them apart.
    public var masksPersonalData = true
    /// Called on a thread of this library; it must not wait for it. nil: nothing is told.
    public var callback: (@Sendable (Message) -> Void)?

    public init() {}
}
