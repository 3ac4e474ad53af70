internal import Glibc
internal import SwitchyardFiles

/// A line that the person pastes. A terminal that edits lines keeps 4095 bytes of one, and an address that holds a code may be
/// longer: so a terminal gives it byte by byte, and what little can be edited is edited here.
enum PastedLine {
    private static let mostBytes = 64 << 10

    /// - Returns: nil for an empty input, and when the person has given up.
    static func read() -> String? {
        var before = termios()
        guard unsafe tcgetattr(STDIN_FILENO, &before) == 0 else { return readLine() }
        var settings = before
        // Signals too are bytes: one that ended the process would leave the terminal like this.
        settings.c_lflag &= ~tcflag_t(ICANON | ISIG | ECHO)
        unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
        defer { unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &before) }
        var line: [UInt8] = []
        while line.count < mostBytes {
            guard let byte = (try? Descriptor.read(STDIN_FILENO, upTo: 1))?.first else { return nil }
            switch byte {
            case 0x03: return end(nil)
            case 0x04 where line.isEmpty: return end(nil)
            case 0x0A, 0x0D: return end(String(decoding: line, as: UTF8.self))
            case 0x08, 0x7F:
                guard line.popLast() != nil else { continue }
                show(Array("\u{8} \u{8}".utf8))
            case 0x15:
                show(Array(String(repeating: "\u{8} \u{8}", count: line.count).utf8))
                line = []
            case 0x20..<0x7F:
                line.append(byte)
                show([byte])
            default: continue
            }
        }
        return end(String(decoding: line, as: UTF8.self))
    }

    private static func end(_ line: String?) -> String? {
        show([0x0A])
        return line
    }

    private static func show(_ bytes: [UInt8]) {
        try? Descriptor.write(bytes, to: STDIN_FILENO)
    }
}
