internal import Glibc
internal import SwitchyardFiles

/// Prevents a second agent of the same user for the life of this process. The kernel releases the lock when the process
/// ends in any way, and names its holder.
final class AgentLock: Sendable {
    private let file: OpenFile

    /// - Throws: ``CommandError`` that names the process which has it.
    init(_ path: String) throws {
        for _ in 0..<Self.tries {
            let file: OpenFile
            do throws(FileError) {
                file = try OpenFile(path, for: .updating, followsLink: false)
            } catch {
                throw CommandError("\(path) cannot be opened: \(error.reason)")
            }
            if RecordLock.take(file) {
                // Another process may have replaced the file in between.
                guard file.isStill(at: path) else { continue }
                self.file = file
                return
            }
            guard let holder = RecordLock.holder(of: file) else { continue }
            guard holder.isShared else {
                throw CommandError(
                    "an agent of this user runs already as process \(holder.process)",
                    hint: "`switchyard open` and the apps use that one")
            }
            // An agent locks for writing. A shared lock is another program's, and must keep no agent from starting.
            if file.isStill(at: path) { FilePath.remove(path) }
        }
        throw CommandError("\(path) cannot be locked: other programs take it again and again")
    }

    private static let tries = 8
}
