/// A QR code of an address, for a camera that looks at a terminal (ISO/IEC 18004, byte mode). Without I/O.
///
/// Our own code, because none of the libraries that the program links makes one, and this is smaller than one more library.
public struct QRCode: Sendable {
    /// The modules of a side, without the quiet zone.
    public let size: Int
    private let grid: QRCodeGrid

    /// The light border, in modules. The standard asks for four; readers accept two, and a terminal of 80 columns has few.
    public static let border = 2

    /// Makes the smallest code, with the stronger correction where that costs no larger one.
    /// - Parameter width: the most modules that a side may have, its borders included.
    /// - Returns: nil for a text that is empty, or too long for that width.
    public init?(_ text: String, width: Int) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { return nil }
        for version in QRCodeVersion.all where version.size + 2 * Self.border <= width {
            for level in [QRCodeLevel.medium, .low] {
                guard let codewords = version.codewords(for: bytes, level) else { continue }
                grid = QRCodeGrid(version, level, codewords)
                size = version.size
                return
            }
        }
        return nil
    }

    /// The smallest width that a code of this text needs, its borders included; nil for one that no code can hold.
    public static func width(of text: String) -> Int? {
        QRCode(text, width: .max).map { $0.size + 2 * border }
    }

    /// The code with its border, two rows of modules in a line. Ink stands for light: white ink on black shows it.
    public var lines: [String] {
        stride(from: -Self.border, to: size + Self.border, by: 2).map { y in
            String(
                (-Self.border..<size + Self.border).map { x -> Character in
                    switch (grid.isDark(x, y), grid.isDark(x, y + 1)) {
                    case (true, true): " "
                    case (true, false): "▄"
                    case (false, true): "▀"
                    case (false, false): "█"
                    }
                })
        }
    }
}
