internal import SwitchyardText

/// Puts addresses together from what a terminal shows: characters, and where lines break.
///
/// A line that fills the terminal goes on in the next. A program may break lines itself, earlier than that: then an address
/// that is not whole yet goes on in a line that begins with what an address may hold, and it is whole where a line is shorter
/// than those before it.
struct AddressAssembler: Sendable {
    var columns: Int
    /// Since the last character that no address holds. Empty while there is nothing to be put together.
    private var word: [UInt8] = []
    /// Where the last line of `word` begins, once it stands on more than one that was not full.
    private var lastLine: Int?
    private var column = 0
    /// The lengths of the lines that `word` stands on but the last, where the program broke them.
    private var lengths: [Int] = []
    private var afterReturn = false
    private var isOverlong = false

    private static let mostBytes = AddressJudge.maximumBytes + 64
    private static let mostLines = 128

    init(columns: Int) {
        self.columns = columns
    }

    mutating func take(_ event: TerminalEvent, _ found: inout [String]) {
        if afterReturn {
            afterReturn = false
            switch event {
            case .lineFeed, .lineStart: break
            default:
                // Something is written over the line.
                column = 0
                finish(&found)
            }
        }
        switch event {
        case .character(let byte): take(byte, &found)
        case .foreignLetter:
            advance()
            finish(&found)
        case .carriageReturn: afterReturn = true
        case .lineFeed, .lineStart: breakLine(&found)
        case .jump, .hyperlink:
            finish(&found)
            column = 0
        }
    }

    mutating func rest(_ found: inout [String]) { finish(&found) }

    mutating func reset() {
        word = []
        lastLine = nil
        lengths = []
        isOverlong = false
    }

    private mutating func advance() {
        if columns > 0, column >= columns { column = 0 }
        column += 1
    }

    private mutating func take(_ byte: UInt8, _ found: inout [String]) {
        advance()
        guard Self.isOfAddress(byte) else {
            finish(&found)
            return
        }
        guard !isOverlong else { return }
        word.append(byte)
        // Before the scheme there is nothing to keep but its first letters.
        if word.count > Self.mostBytes {
            reset()
            isOverlong = true
        }
    }

    private mutating func breakLine(_ found: inout [String]) {
        let length = column
        column = 0
        guard !word.isEmpty else {
            isOverlong = false
            return
        }
        // The edge of the terminal breaks a line, not an address.
        if columns > 0, length >= columns { return }
        guard let address = Self.address(in: word) else {
            finish(&found)
            return
        }
        if let start = lastLine, !isPlausible(word.count - start, length) {
            // The line before was the last of the address.
            splitOff(start, &found)
            breakLine(length, &found)
            return
        }
        let isEvenlyBroken = lengths.last == length
        lengths.append(length)
        // Judged last: it reads all of the address, and a far machine decides how many lines that is done for.
        if lengths.count > Self.mostLines || !isEvenlyBroken && Self.isWhole(address) {
            // Its last line is one of its own.
            lastLine = nil
            finish(&found)
        } else {
            lastLine = word.count
        }
    }

    private mutating func breakLine(_ length: Int, _ found: inout [String]) {
        column = length
        breakLine(&found)
    }

    /// Whether the last line may belong to the address: it holds nothing else, and is not longer than those before.
    private func isPlausible(_ count: Int, _ length: Int) -> Bool {
        count == length && length <= (lengths.last ?? .max)
    }

    /// The word ends here.
    private mutating func finish(_ found: inout [String]) {
        isOverlong = false
        guard !word.isEmpty else { return }
        if let start = lastLine, start < word.count, let whole = Self.address(in: word[..<start]), Self.isWhole(whole) {
            // What stands in the last line may be other text: it counts only where the lines before are broken evenly.
            let isEven = lengths.count > 1 && lengths[lengths.count - 1] == lengths[lengths.count - 2]
            if !isEven {
                splitOff(start, &found)
                finish(&found)
                return
            }
        }
        if let address = Self.address(in: word) { found.append(address) }
        reset()
    }

    /// Ends the address before its last line, which begins a word of its own.
    private mutating func splitOff(_ start: Int, _ found: inout [String]) {
        let rest = Array(word[start...])
        if let address = Self.address(in: word[..<start]) { found.append(address) }
        reset()
        word = rest
    }

    /// The address in a word, without the punctuation of the sentence that it stands in.
    private static func address(in word: some Collection<UInt8>) -> String? {
        guard let start = start(in: Array(word)) else { return nil }
        var address = Array(word)[start...]
        while let last = address.last, isPunctuation(last, of: address) { address.removeLast() }
        guard address.count > scheme.count else { return nil }
        return String(decoding: address, as: UTF8.self)
    }

    private static func start(in word: [UInt8]) -> Int? {
        guard word.count >= scheme.count else { return nil }
        return (0...(word.count - scheme.count)).first { start in
            zip(word[start...], scheme).allSatisfy { ASCII.lowercased($0) == $1 }
        }
    }

    private static let scheme = Array("https://".utf8)

    private static func isPunctuation(_ byte: UInt8, of address: ArraySlice<UInt8>) -> Bool {
        func isUnbalanced(_ open: Character, _ close: Character) -> Bool {
            let text = String(decoding: address, as: UTF8.self)
            return text.count { $0 == close } > text.count { $0 == open }
        }
        return switch byte {
        case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "!"),
            UInt8(ascii: "?"), UInt8(ascii: "'"), UInt8(ascii: "*"):
            true
        case UInt8(ascii: ")"): isUnbalanced("(", ")")
        case UInt8(ascii: "]"): isUnbalanced("[", "]")
        default: false
        }
    }

    private static func isWhole(_ address: String) -> Bool {
        if case .signIn = AddressJudge.judge(address) { true } else { false }
    }

    /// RFC 3986 section 2.
    private static func isOfAddress(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || "-._~:/?#[]@!$&'()*+,;=%".utf8.contains(byte)
    }
}
