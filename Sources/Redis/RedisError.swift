/// The address of a Redis server.
public struct RedisAddress: Hashable, Sendable, CustomStringConvertible {
    /// A name or a numeric address, without brackets.
    public let host: String
    public let port: UInt16

    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// `host:port` as Redis writes it, where IPv6 has no brackets. Nil when there is no port.
    public init?(_ text: some StringProtocol) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        self.init(host: String(text[..<colon].filter { $0 != "[" && $0 != "]" }), port: port)
    }

    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// An error that Redis answered in place of a value. The command was not executed, unless ``kind`` says otherwise.
public struct RedisServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The meaning for the command, by the error's first word.
    public enum Kind: Hashable, Sendable {
        /// This one is a replica.
        case readOnly
        /// It reads its data from the disk.
        case loading
        /// It has no memory left for a write.
        case outOfMemory
        /// The cluster does not serve this slot now.
        case clusterDown
        /// The slot is at another node, for good.
        case moved(slot: Int, to: RedisAddress)
        /// The slot is on its way to another node, which has the key.
        case ask(slot: Int, to: RedisAddress)
        /// The slot is on its way, and not all keys of the command are at one node.
        case tryAgain
        /// The keys of the command belong to several slots.
        case crossSlot
        /// It has forgotten the script.
        case noScript
        /// It asks for a password; or for another one; or the user may not do this.
        case notAuthenticated
        case wrongPassword
        case notPermitted
        /// This replica has lost its primary.
        case masterDown
        /// A script has run for too long.
        case busy
        /// Too few replicas follow for a write to be safe (`min-replicas-to-write`).
        case tooFewReplicas
        /// It cannot save to its disk, and is set not to take writes then.
        case cannotSave
        /// A script of ours raised an error, or anything else.
        case other
    }

    public let kind: Kind
    /// The text of Redis: one line, cut to size, without arguments of the command. For operators.
    public let description: String

    private static let maximumLength = 200

    /// - Parameter text: without the `-` of the protocol.
    init(_ text: String) {
        // A server that does not know a command repeats its arguments, which may be a password.
        let words = text.split(separator: ", with args beginning", maxSplits: 1).first ?? ""
        let line = words.unicodeScalars.prefix(Self.maximumLength).map { $0.value < 32 ? " " : $0 }
        description = String(String.UnicodeScalarView(line))
        kind = Self.kind(of: Self.cause(text).split(separator: " ", omittingEmptySubsequences: true))
    }

    /// The cause. Before version 7, the error of a command in a script follows the script's own words.
    private static func cause(_ text: String) -> Substring {
        guard text.hasPrefix("ERR Error running script"), let range = text.firstRange(of: ": -") else {
            return text[...]
        }
        return text[range.upperBound...]
    }

    private static func kind(of words: [Substring]) -> Kind {
        switch words.first {
        case "READONLY": .readOnly
        case "LOADING": .loading
        case "OOM": .outOfMemory
        case "CLUSTERDOWN": .clusterDown
        case "MOVED": redirection(words).map { .moved(slot: $0.slot, to: $0.address) } ?? .other
        case "ASK": redirection(words).map { .ask(slot: $0.slot, to: $0.address) } ?? .other
        case "TRYAGAIN": .tryAgain
        case "CROSSSLOT": .crossSlot
        case "NOSCRIPT": .noScript
        case "NOAUTH": .notAuthenticated
        case "WRONGPASS": .wrongPassword
        case "NOPERM": .notPermitted
        case "MASTERDOWN": .masterDown
        case "BUSY": .busy
        case "NOREPLICAS": .tooFewReplicas
        case "MISCONF": .cannotSave
        default: .other
        }
    }

    private static func redirection(_ words: [Substring]) -> (slot: Int, address: RedisAddress)? {
        guard words.count >= 3, let slot = Int(words[1]), (0..<HashSlot.count).contains(slot),
            let address = RedisAddress(words[2])
        else { return nil }
        return (slot, address)
    }

    /// Whether the same command may succeed here, or elsewhere, without a change by an operator.
    public var isTransient: Bool {
        switch kind {
        case .readOnly, .loading, .clusterDown, .moved, .ask, .tryAgain, .masterDown, .busy, .tooFewReplicas,
            .cannotSave, .outOfMemory, .noScript:
            true
        case .crossSlot, .notAuthenticated, .wrongPassword, .notPermitted, .other: false
        }
    }
}

/// A command that brought no value.
public enum RedisError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Redis cannot have seen the command: it may be given again.
    case notSent(reason: String)
    /// Redis may have executed the command, or may yet do so.
    case outcomeUnknown(reason: String)
    /// Redis answered with an error.
    case server(RedisServerError)

    public var description: String {
        switch self {
        case .notSent(let reason): "the command was not sent: \(reason)"
        case .outcomeUnknown(let reason): "what became of the command is not known: \(reason)"
        case .server(let error): "Redis says: \(error)"
        }
    }

    /// The same for a question, which changes no data: as if it had not been sent.
    var asNotSent: RedisError {
        if case .outcomeUnknown(let reason) = self { .notSent(reason: reason) } else { self }
    }

    /// Whether Redis refused for want of memory.
    public var isForWantOfMemory: Bool {
        if case .server(let error) = self { error.kind == .outOfMemory } else { false }
    }

    /// Whether a retry can succeed only after a change by an operator.
    var isFinal: Bool {
        if case .server(let error) = self { !error.isTransient } else { false }
    }
}
