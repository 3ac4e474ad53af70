/// Cuts the client's bytes into lines. Without I/O.
public struct LineSplitter: Sendable {
    public enum Line: Equatable, Sendable {
        case line([UInt8])
        /// A line longer than the limit. Its bytes are gone.
        case tooLong
    }

    private let maximum: Int
    private var line: [UInt8] = []
    private var isSkipping = false

    public init(maximum: Int) { self.maximum = maximum }

    /// Takes the next bytes.
    /// - Returns: the lines that end with them, without their ends and without the empty ones.
    public mutating func take(_ bytes: ArraySlice<UInt8>) -> [Line] {
        var lines: [Line] = []
        var rest = bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            add(rest[..<end])
            rest = rest[(end + 1)...]
            lines += endLine()
        }
        add(rest)
        return lines
    }

    /// The last line, if it has no end.
    public mutating func finish() -> [Line] { endLine() }

    private mutating func add(_ piece: ArraySlice<UInt8>) {
        guard !isSkipping else { return }
        guard line.count + piece.count <= maximum else {
            isSkipping = true
            line = []
            return
        }
        line += piece
    }

    private mutating func endLine() -> [Line] {
        defer {
            line = []
            isSkipping = false
        }
        if isSkipping { return [.tooLong] }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return line.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? [] : [.line(line)]
    }
}
