/// A mark in a file that was read.
struct Place {
    let file: SourceFile
    let mark: Mark

    /// For the words of a message: where the other one is.
    var description: String { "\(file.name):\(mark.line):\(mark.column)" }
}
