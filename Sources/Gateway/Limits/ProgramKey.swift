/// A program of an agent's user, as far as limits tell programs apart: by its sandbox, or by the file that it runs.
///
/// All programs have one user there. If limits counted by user, one program's flood would shut all others out.
public struct ProgramKey: Hashable, Sendable {
    /// The name in records of requests: a sandbox, a file by device and number, or one name for all that the kernel
    /// hides.
    public let text: String

    public init(_ text: String) { self.text = text }
}
