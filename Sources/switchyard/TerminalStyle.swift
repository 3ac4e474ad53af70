internal import Glibc

/// The style of text at its destination: in color only on a terminal, unless the person has turned it off
/// (no-color.org).
struct TerminalStyle: Sendable {
    let isColored: Bool
    /// The width in columns; 100 where it is unknown.
    let width: Int
    /// The height of the terminal, in lines; nil elsewhere.
    let height: Int?

    /// For standard output as it is now.
    static var standardOutput: TerminalStyle {
        guard isatty(STDOUT_FILENO) == 1 else { return TerminalStyle(isColored: false, width: 100, height: nil) }
        var size = winsize()
        let isKnown = unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        let isColored = (Environment["NO_COLOR"] ?? "").isEmpty && Environment["TERM"] != "dumb"
        return TerminalStyle(
            isColored: isColored, width: isKnown ? min(Int(size.ws_col), 120) : 100,
            height: isKnown ? Int(size.ws_row) : 24)
    }

    func bold(_ text: String) -> String { styled(text, "1") }
    func dim(_ text: String) -> String { styled(text, "2") }
    func red(_ text: String) -> String { styled(text, "31") }
    func green(_ text: String) -> String { styled(text, "32") }
    func yellow(_ text: String) -> String { styled(text, "33") }

    private func styled(_ text: String, _ code: String) -> String {
        isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
