internal import SwitchyardText

/// The effect of bytes on a terminal, as far as addresses need it (ECMA-48, and xterm's behavior).
enum TerminalEvent: Equatable, Sendable {
    case character(UInt8)
    /// A letter outside ASCII, however many bytes it has.
    case foreignLetter
    case carriageReturn
    /// The cursor goes to the next line.
    case lineFeed
    /// The cursor goes to the first column of some line.
    case lineStart
    /// The cursor goes somewhere else, or the text ends for another reason.
    case jump
    case hyperlink(String)
}

/// Takes escape sequences out of a terminal's output.
struct EscapeParser: Sendable {
    private enum State {
        case ground
        case escape
        /// One more byte belongs to it.
        case designation
        case control
        case command
        /// Behind ESC within a string, which a backslash ends.
        case commandEscape
        case ignoredString
        case ignoredStringEscape
    }

    private var state = State.ground
    private var parameters: [UInt8] = []
    private(set) var hasAlternateScreen = false
    /// How many bytes of a letter are still to come.
    private var lettersBytes = 0

    /// Longer ones are read over.
    private static let mostBytes = AddressJudge.maximumBytes + 512

    var isInGround: Bool { state == .ground && lettersBytes == 0 }

    mutating func take(_ byte: UInt8) -> TerminalEvent? {
        switch state {
        case .ground: return ground(byte)
        case .escape: return escape(byte)
        case .designation:
            state = .ground
            return nil
        case .control: return control(byte)
        case .command, .ignoredString: return string(byte)
        case .commandEscape, .ignoredStringEscape:
            let isEnd = byte == UInt8(ascii: "\\")
            let event = isEnd && state == .commandEscape ? hyperlink : nil
            state = .ground
            // Another escape sequence breaks the string off.
            return isEnd ? event : escape(byte)
        }
    }

    private mutating func ground(_ byte: UInt8) -> TerminalEvent? {
        switch byte {
        case 0x1B:
            state = .escape
            lettersBytes = 0
            return nil
        case 0x20..<0x7F:
            lettersBytes = 0
            return .character(byte)
        case 0x80..<0xC0:
            lettersBytes = max(0, lettersBytes - 1)
            return nil
        case 0xC0...:
            lettersBytes = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3
            return .foreignLetter
        case 0x0D: return .carriageReturn
        case 0x0A, 0x0B, 0x0C: return .lineFeed
        case 0x08, 0x09: return .jump
        default: return nil
        }
    }

    private mutating func escape(_ byte: UInt8) -> TerminalEvent? {
        parameters.removeAll(keepingCapacity: true)
        state = .ground
        switch byte {
        case UInt8(ascii: "["): state = .control
        case UInt8(ascii: "]"): state = .command
        case UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"): state = .ignoredString
        case 0x20..<0x30: state = .designation
        case 0x1B: state = .escape
        case UInt8(ascii: "E"): return .lineStart
        case UInt8(ascii: "D"): return .lineFeed
        case UInt8(ascii: "c"):
            hasAlternateScreen = false
            return .jump
        case UInt8(ascii: "7"), UInt8(ascii: "8"), UInt8(ascii: "M"): return .jump
        default: break
        }
        return nil
    }

    private mutating func control(_ byte: UInt8) -> TerminalEvent? {
        switch byte {
        case 0x20..<0x40:
            if parameters.count < 64 { parameters.append(byte) }
            return nil
        case 0x40..<0x7F:
            state = .ground
            return finished(byte)
        case 0x1B:
            state = .escape
            return nil
        case 0x18, 0x1A:
            state = .ground
            return nil
        // A control character within a sequence has its usual effect.
        case 0x0D: return .carriageReturn
        case 0x0A: return .lineFeed
        default: return nil
        }
    }

    private mutating func finished(_ final: UInt8) -> TerminalEvent? {
        switch final {
        // Colors and erasures: they leave the cursor where it is.
        case UInt8(ascii: "m"), UInt8(ascii: "K"), UInt8(ascii: "n"), UInt8(ascii: "q"), UInt8(ascii: "t"),
            UInt8(ascii: "c"):
            return nil
        case UInt8(ascii: "h"), UInt8(ascii: "l"):
            let modes = String(decoding: parameters.dropFirst(), as: UTF8.self).split(separator: ";")
            guard parameters.first == UInt8(ascii: "?"), modes.contains(where: { ["47", "1047", "1049"].contains($0) })
            else { return nil }
            hasAlternateScreen = final == UInt8(ascii: "h")
            return .jump
        case UInt8(ascii: "E"), UInt8(ascii: "F"): return .lineStart
        case UInt8(ascii: "H"), UInt8(ascii: "f"):
            let coordinates = String(decoding: parameters, as: UTF8.self).split(
                separator: ";", omittingEmptySubsequences: false)
            return coordinates.count < 2 || coordinates[1].isEmpty || coordinates[1] == "1" ? .lineStart : .jump
        case UInt8(ascii: "G") where parameters.isEmpty || parameters == [UInt8(ascii: "1")]: return .carriageReturn
        default: return .jump
        }
    }

    private mutating func string(_ byte: UInt8) -> TerminalEvent? {
        switch byte {
        case 0x07:
            let event = state == .command ? hyperlink : nil
            state = .ground
            return event
        case 0x1B:
            state = state == .command ? .commandEscape : .ignoredStringEscape
        case 0x18, 0x1A: state = .ground
        default:
            if state == .command { parameters.append(byte) }
            if parameters.count > Self.mostBytes {
                parameters.removeAll()
                state = .ignoredString
            }
        }
        return nil
    }

    /// `8 ; parameters ; address`; nil for any other command, and where a hyperlink ends.
    private var hyperlink: TerminalEvent? {
        guard parameters.starts(with: "8;".utf8) else { return nil }
        let rest = parameters.dropFirst(2)
        guard let semicolon = rest.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let address = rest[(semicolon + 1)...]
        return address.isEmpty ? nil : .hyperlink(String(decoding: address, as: UTF8.self))
    }
}
