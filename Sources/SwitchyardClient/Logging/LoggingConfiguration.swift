/// The log lines of this library, and their receiver.
public struct LoggingConfiguration: Sendable {
    /// How much is told. Each level has all that come before it.
    public struct Level: Hashable, Comparable, Sendable, CustomStringConvertible {
        /// No lines.
        public static var nothing: Self { Self(name: .nothing) }
        /// Failures.
        public static var error: Self { Self(name: .error) }
        /// Irregularities after which the work went on.
        public static var warning: Self { Self(name: .warning) }
        /// A line or two for each request.
        public static var info: Self { Self(name: .info) }
        /// Every step.
        public static var verbose: Self { Self(name: .verbose) }

        enum Name: Int, CaseIterable { case nothing, error, warning, info, verbose }

        let name: Name

        static var allCases: [Self] { Name.allCases.map { Self(name: $0) } }

        public static func < (left: Level, right: Level) -> Bool { left.name.rawValue < right.name.rawValue }

        public var description: String { "\(name)" }
    }

    /// One line. At every level it is free of tokens, codes, states, passwords and keys.
    public struct Message: Sendable {
        /// How much it matters.
        public let level: Level
        /// Without a line end or other control characters.
        public let text: String
        /// Whether it may name a person; never when ``LoggingConfiguration/masksPersonalData`` is on.
        public let containsPersonalData: Bool

        /// For tests of an app.
        public init(level: Level, text: String, containsPersonalData: Bool = false) {
            self.level = level
            self.text = text
            self.containsPersonalData = containsPersonalData
        }
    }

    /// The last level that is told.
    public var level: Level
    /// Whether names of people are replaced by marks that only tell them apart.
    public var masksPersonalData: Bool
    /// The receiver of lines; nil for no log. It is called on a thread of this library and must not wait for it.
    public var callback: (@Sendable (Message) -> Void)?

    /// Without a `callback` no line is made.
    public init(
        level: Level = .info, masksPersonalData: Bool = true, callback: (@Sendable (Message) -> Void)? = nil
    ) {
        self.level = level
        self.masksPersonalData = masksPersonalData
        self.callback = callback
    }
}
