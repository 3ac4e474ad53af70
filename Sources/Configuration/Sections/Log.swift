/// How the gateway's log is written, and from which level on. The `log:` mapping.
public struct LogConfiguration: Hashable, Sendable {
    public enum Format: String, CaseIterable, Hashable, Sendable {
        /// `key=value` pairs, with quotes where a value needs them.
        case logfmt
        /// One JSON object a line.
        case json
    }

    /// How much an event matters; each level also has all behind it.
    public enum Level: String, CaseIterable, Hashable, Comparable, Sendable {
        case debug, info, warning, error

        public static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .debug: 0
            case .info: 1
            case .warning: 2
            case .error: 3
            }
        }
    }

    public var format = Format.logfmt
    /// The lowest level that is written.
    public var level = Level.info

    public init() {}
}

/// Reads the `log:` mapping.
enum LogSection {
    enum Key: String, ConfigurationKey {
        case format
        case level
    }

    static func decode(_ node: YAMLNode, in context: DecodingContext) -> LogConfiguration {
        var log = LogConfiguration()
        guard let reader = MappingReader<Key>(node, in: context) else { return log }
        if let format = reader[.format].flatMap({ context.choice($0, LogConfiguration.Format.self) }) {
            log.format = format
        }
        if let level = reader[.level].flatMap({ context.choice($0, LogConfiguration.Level.self) }) {
            log.level = level
        }
        return log
    }
}
