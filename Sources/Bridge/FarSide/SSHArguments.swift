/// The words behind `switchyard ssh`: ssh's own, in ssh's grammar, with ours among its options.
///
/// ssh's options have one letter, so a word that begins with two dashes is ours wherever ssh would read an option: before the
/// host, and between the host and the command.
public struct SSHArguments: Sendable {
    /// The reason why the words cannot be used; the text is the word itself.
    public enum ParseError: Error, Equatable, Sendable {
        case noHost
        case unknownOption(String)
        case missingValue(String)
        case takesNoValue(String)
        case badPair(String)
    }

    /// Ours.
    public private(set) var trusted: [TrustedPair] = []
    public private(set) var opensLinks = false
    public private(set) var opensBrowser = true
    public private(set) var wantsHelp = false

    /// ssh's options, one a word and its value another.
    public private(set) var options: [String] = []
    public private(set) var host = ""
    /// The words behind the host; empty for a shell.
    public private(set) var command: [String] = []
    private var flags: [Character: Int] = [:]

    /// The options of ssh that have a value.
    private static let withValue: Set<Character> = Set("BbcDEeFIiJLlmOoPpQRSWw")
    private static let withoutValue: Set<Character> = Set("1246AaCfGgKkMNnqsTtVvXxYy")

    public init(_ arguments: [String]) throws(ParseError) {
        var rest = arguments[...]
        try readOptions(&rest)
        if wantsHelp { return }
        guard let host = rest.popFirst() else {
            // Some of ssh's options ask ssh itself.
            guard isForSSHAlone else { throw .noHost }
            return
        }
        self.host = host
        if !hasEnded { try readOptions(&rest) }
        command = Array(rest)
    }

    /// A `--` ends the options, behind the host too.
    private var hasEnded = false

    private mutating func readOptions(_ rest: inout ArraySlice<String>) throws(ParseError) {
        while let word = rest.first, word.hasPrefix("-"), word != "-" {
            rest.removeFirst()
            if word == "--" {
                hasEnded = true
                return
            }
            if word.hasPrefix("--") {
                try readOurs(word, &rest)
            } else {
                try readSSHs(word, &rest)
            }
        }
    }

    private mutating func readOurs(_ word: String, _ rest: inout ArraySlice<String>) throws(ParseError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if parts.count == 2, parts[0] != "--trust" { throw .takesNoValue(parts[0]) }
        switch parts[0] {
        case "--trust":
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else { throw .missingValue("--trust") }
            guard let pair = TrustedPair(value) else { throw .badPair(value) }
            trusted.append(pair)
        case "--open-links": opensLinks = true
        case "--no-browser": opensBrowser = false
        case "--help": wantsHelp = true
        default: throw .unknownOption(parts[0])
        }
    }

    /// A word of ssh may hold several letters; the value of the last stands behind it, or is the next word.
    private mutating func readSSHs(_ word: String, _ rest: inout ArraySlice<String>) throws(ParseError) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            flags[letter, default: 0] += 1
            if Self.withValue.contains(letter) {
                guard let value = letters.isEmpty ? rest.popFirst() : String(letters) else {
                    throw .missingValue("-\(letter)")
                }
                options += ["-\(letter)", value]
                return
            }
            guard Self.withoutValue.contains(letter) else { throw .unknownOption("-\(letter)") }
            options.append("-\(letter)")
        }
    }

    private func has(_ letters: String) -> Bool { letters.contains { flags[$0] != nil } }

    /// Whether the call opens no session with tools that could want a browser: it asks ssh a question, or forbids a
    /// session.
    public var isForSSHAlone: Bool { has("VQGOWNfs") }

    /// The person's wish for a terminal there; nil without one.
    public var wantsTerminal: Bool? { has("T") ? false : has("t") ? true : nil }

    /// ssh's options without those that name a shared connection: this session has its own.
    public var connectionOptions: [String] {
        var out: [String] = []
        var index = 0
        while index < options.count {
            let word = options[index]
            let hasValue = word.dropFirst().first.map(Self.withValue.contains) ?? false
            if word != "-S", word != "-M" { out += options[index..<min(index + (hasValue ? 2 : 1), options.count)] }
            index += hasValue ? 2 : 1
        }
        return out
    }

    /// The command as ssh sends it.
    public var commandText: String? { command.isEmpty ? nil : command.joined(separator: " ") }
}
