internal import Glibc
internal import SwitchyardBridge

/// An address as a QR code on the person's terminal, for the camera of another device.
enum AddressCode {
    /// White on black, whatever the terminal's colors are: most readers want light around a dark code.
    private static let colors = "\u{1B}[38;5;231;48;5;16m"
    private static let end = "\u{1B}[0m"

    /// Prints it on standard error if that is a terminal. If it is too narrow, one line says so.
    static func show(_ address: String) {
        guard isatty(STDERR_FILENO) == 1, Environment["TERM"] != "dumb" else { return }
        let columns = columns
        guard let code = QRCode(address, width: columns) else {
            guard let width = QRCode.width(of: address) else { return }
            return Terminal.note("(As a QR code it needs a terminal of \(width) columns; this one has \(columns).)\n")
        }
        let isColored = Environment.setting("NO_COLOR") == nil
        for line in code.lines { Terminal.note(styled: isColored ? "\(colors)\(line)\(end)" : line) }
        Terminal.note("")
    }

    /// No limit where the terminal does not tell its width.
    private static var columns: Int {
        var size = winsize()
        guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return .max }
        return Int(size.ws_col)
    }
}
