/// A place in a file: line and column, counted from 1, the column in characters.
struct Mark: Hashable, Sendable {
    let line: UInt32
    let column: UInt32

    static let start = Mark(line: 1, column: 1)
}
