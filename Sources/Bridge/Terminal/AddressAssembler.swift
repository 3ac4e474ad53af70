internal import SwitchyardText

/// Puts addresses together from the characters and the line breaks that a terminal shows.
///
/// A line that fills the terminal continues in the next. A program may also break lines earlier. Then the next line
/// belongs to the address if it holds only the rest of it, and one of three conditions holds: the address is
/// incomplete, its lines are equally long, or the line looks like the rest of a query. Each byte is examined a bounded
/// number of times, for any output of a far machine.
struct AddressAssembler: Sendable {
    var columns: Int
    private var column = 0
    /// How many blanks this line began with.
    private var blanks = 0
    private var afterReturn = false
    /// How many bytes of the scheme have been shown last.
    private var matched = 0
    /// The characters since a scheme's begin; empty without one.
    private var word: [UInt8] = []
    /// The number of blanks before the address at the beginning of its line; its other lines may have them too.
    private var indentation = 0
    /// Whether the edge of the terminal broke it: then the program breaks no lines itself.
    private var isBrokenByEdge = false
    /// The start of the last line of `word`, once the program has broken one.
    private var lastLine: Int?
    /// The number of earlier lines, the length of the last one, and whether the line before it was as long.
    private var lines = 0
    private var length = 0
    private var isEven = false
    /// The number of lines that were shorter than the one before and unlike a query.
    private var oddLines = 0
    private var isOverlong = false

    private static let mostBytes = AddressJudge.maximumBytes + 64
    private static let mostLines = 128
    private static let mostOddLines = 16

    init(columns: Int) {
        self.columns = columns
    }

    /// Something but an ASCII character.
    mutating func take(_ event: TerminalEvent, _ found: inout [String]) {
        switch event {
        case .lineFeed, .lineStart: breakLine(&found)
        case .character(let byte): return take(byte, &found)
        case .foreignLetter:
            endReturn(&found)
            advance()
            finish(&found)
        case .carriageReturn:
            endReturn(&found)
            afterReturn = true
            return
        case .jump, .hyperlink:
            finish(&found)
            (column, blanks) = (0, 0)
        }
        afterReturn = false
    }

    /// An ASCII character that can be seen, or a blank.
    mutating func take(_ byte: UInt8, _ found: inout [String]) {
        endReturn(&found)
        advance()
        let isBlank = byte == UInt8(ascii: " ")
        if isBlank, blanks == column - 1 { blanks = column }
        guard !word.isEmpty else { return matchScheme(byte) }
        guard Self.isOfAddress(byte) else {
            if isBlank, lastLine == word.count, column <= indentation { return }
            finish(&found)
            return
        }
        word.append(byte)
        if word.count > Self.mostBytes {
            reset()
            isOverlong = true
        }
    }

    mutating func rest(_ found: inout [String]) { finish(&found) }

    mutating func reset() {
        word.removeAll(keepingCapacity: true)
        (matched, isOverlong, isBrokenByEdge) = (0, false, false)
        (lastLine, lines, length, isEven, oddLines) = (nil, 0, 0, false, 0)
    }

    /// Characters behind a carriage return overwrite the line.
    private mutating func endReturn(_ found: inout [String]) {
        guard afterReturn else { return }
        afterReturn = false
        (column, blanks) = (0, 0)
        finish(&found)
    }

    private mutating func advance() {
        if columns > 0, column >= columns {
            column = 0
            isBrokenByEdge = true
        }
        column += 1
    }

    private mutating func matchScheme(_ byte: UInt8) {
        guard !isOverlong else {
            isOverlong = Self.isOfAddress(byte)
            return
        }
        let letter = ASCII.lowercased(byte)
        if letter != Self.scheme(matched) { matched = 0 }
        guard letter == Self.scheme(matched) else { return }
        matched += 1
        guard matched == Self.schemeLength else { return }
        for index in 0..<Self.schemeLength { word.append(Self.scheme(index)) }
        indentation = blanks == column - Self.schemeLength ? blanks : 0
        // If the scheme itself was broken, the program did not break the line either.
        isBrokenByEdge = column < Self.schemeLength
        matched = 0
    }

    private mutating func breakLine(_ found: inout [String]) {
        let length = column
        (column, blanks) = (0, 0)
        // The edge of the terminal breaks a line, not an address: unless it did so before, without a break of the program's.
        let isAtEdge = columns > 0 && length >= columns
        if isAtEdge, word.isEmpty || !isBrokenByEdge { return }
        guard !word.isEmpty else {
            (matched, isOverlong) = (0, false)
            return
        }
        if let start = lastLine {
            guard start < word.count else { return finish(&found) }
            if goesOn(at: start, lineLength: length) {
                isEven = length == self.length
                if !isEven { oddLines += 1 }
            } else {
                // The line before was the last of the address.
                splitOff(start, &found)
                guard !word.isEmpty else { return }
            }
        }
        let isEnough = isBrokenByEdge && !isAtEdge || lines >= Self.mostLines || oddLines >= Self.mostOddLines
        guard !isEnough, Self.address(in: word[...]) != nil || lines > 0 else { return finish(&found) }
        lines += 1
        self.length = length
        lastLine = word.count
    }

    /// The word ends here.
    private mutating func finish(_ found: inout [String]) {
        guard !word.isEmpty else {
            (matched, isOverlong) = (0, false)
            return
        }
        if let start = lastLine, start < word.count, !goesOn(at: start) { splitOff(start, &found) }
        if let address = Self.address(in: word[...]) { found.append(address) }
        reset()
    }

    /// Whether the last line belongs to the address before it.
    /// - Parameter lineLength: nil while the line has not ended.
    private func goesOn(at start: Int, lineLength: Int? = nil) -> Bool {
        let tail = word[start...]
        if let lineLength, tail.count != lineLength - indentation { return false }
        let isParameter = word[start - 1] == UInt8(ascii: "=")
        guard isParameter || Self.schemePlace(in: tail) != tail.startIndex else { return false }
        if isEven || lineLength == length, indentation + tail.count <= length { return true }
        if tail.contains(where: Self.isOfQuery) { return true }
        // A single word can be other text: a complete address goes without it.
        return Self.address(in: word[..<start]).map { !Self.isWhole($0) } ?? false
    }

    /// Ends the address before its last line, in which another one may begin.
    private mutating func splitOff(_ start: Int, _ found: inout [String]) {
        if let address = Self.address(in: word[..<start]) { found.append(address) }
        let tail = word[start...]
        let next = Self.schemePlace(in: tail).map { Array(word[$0...]) } ?? []
        reset()
        word = next
    }

    // MARK: Letters

    /// The address in a word that begins with a scheme, without the punctuation of its sentence.
    private static func address(in word: ArraySlice<UInt8>) -> String? {
        func surplus(_ open: UInt8, _ close: UInt8) -> Int {
            word.reduce(0) { $0 + ($1 == close ? 1 : $1 == open ? -1 : 0) }
        }
        // Counted once, where there is something to be closed at all.
        var (round, square): (Int?, Int?) = (nil, nil)
        var end = word.endIndex
        trimming: while end > word.startIndex {
            switch word[end - 1] {
            case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "!"),
                UInt8(ascii: "?"), UInt8(ascii: "'"), UInt8(ascii: "*"):
                break
            case UInt8(ascii: ")"):
                let left = round ?? surplus(UInt8(ascii: "("), UInt8(ascii: ")"))
                guard left > 0 else { break trimming }
                round = left - 1
            case UInt8(ascii: "]"):
                let left = square ?? surplus(UInt8(ascii: "["), UInt8(ascii: "]"))
                guard left > 0 else { break trimming }
                square = left - 1
            default: break trimming
            }
            end -= 1
        }
        guard end - word.startIndex > schemeLength else { return nil }
        return String(decoding: word[..<end], as: UTF8.self)
    }

    private static let schemeLength = 8

    /// `https://`.
    private static func scheme(_ index: Int) -> UInt8 {
        switch index {
        case 0: UInt8(ascii: "h")
        case 1, 2: UInt8(ascii: "t")
        case 3: UInt8(ascii: "p")
        case 4: UInt8(ascii: "s")
        case 5: UInt8(ascii: ":")
        default: UInt8(ascii: "/")
        }
    }

    private static func schemePlace(in word: ArraySlice<UInt8>) -> Int? {
        guard word.count >= schemeLength else { return nil }
        return (word.startIndex...(word.endIndex - schemeLength)).first { start in
            (0..<schemeLength).allSatisfy { ASCII.lowercased(word[start + $0]) == scheme($0) }
        }
    }

    private static func isWhole(_ address: String) -> Bool {
        if case .signIn = AddressJudge.judge(address) { true } else { false }
    }

    private static func isOfQuery(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "&") || byte == UInt8(ascii: "=") || byte == UInt8(ascii: "%")
    }

    /// RFC 3986 section 2.
    private static func isOfAddress(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x23...0x3B, 0x3D, 0x3F...0x5B, 0x5D, 0x5F, 0x61...0x7A, 0x7E: true
        default: false
        }
    }
}
