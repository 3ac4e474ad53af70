internal import SwitchyardText

/// Looks for authorization requests in a session's output, without I/O. Other code passes the bytes on.
///
/// It reads the output as a terminal shows it. An address with colors in it is one address, and so is one that was
/// broken at the edge of the terminal. The target of a hyperlink (OSC 8) is examined too. The way the bytes are cut
/// into pieces does not matter.
public struct TerminalWatcher: Sendable {
    private var parser = EscapeParser()
    private var text: AddressAssembler
    private var found: [String] = []
    /// The bytes are those of a program, not of a text.
    private var isBinary = false
    private let isTerminal: Bool

    /// - Parameters:
    ///   - columns: the width of the terminal; 0 without one.
    ///   - isTerminal: false for a stream that may hold any bytes. After the first byte that no text has, it is
    ///     ignored.
    public init(columns: Int, isTerminal: Bool) {
        text = AddressAssembler(columns: columns)
        self.isTerminal = isTerminal
    }

    /// The terminal has another width.
    public mutating func resize(columns: Int) { text.columns = columns }

    /// Whether a note of ours may be written in between: no sequence is unfinished, and no program uses the whole
    /// screen.
    public var isAtRest: Bool { parser.isInGround && !isScreenTaken }

    /// Whether a program has the whole screen, such as an editor or tmux.
    public var isScreenTaken: Bool { parser.hasAlternateScreen }

    /// Takes a piece.
    /// - Returns: the addresses that have come to their end, in their order. They may be anything that begins with `https`.
    public mutating func take(_ piece: ArraySlice<UInt8>) -> [String] {
        guard !isBinary else { return [] }
        for byte in piece {
            // Nearly all of it is text.
            if parser.isInGround, (0x20..<0x7F).contains(byte) {
                text.take(byte, &found)
                continue
            }
            if byte == 0, !isTerminal {
                isBinary = true
                text.reset()
                break
            }
            guard let event = parser.take(byte) else { continue }
            switch event {
            case .hyperlink(let address): found.append(address)
            default: text.take(event, &found)
            }
        }
        return takeFound()
    }

    /// Takes note of a pause: the present line is complete.
    public mutating func rest() -> [String] {
        text.rest(&found)
        return takeFound()
    }

    private mutating func takeFound() -> [String] {
        defer { found = [] }
        return found
    }
}
