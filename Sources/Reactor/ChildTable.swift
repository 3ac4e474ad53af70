internal import Glibc

/// The programs that a loop has started and waits for. SIGCHLD must be blocked, and lead to ``look()``.
///
/// Why `@unchecked Sendable`: it is used on the loop's thread only.
public final class ChildTable: @unchecked Sendable {
    private var waiting: [Int32: Promise<ChildEnd>] = [:]

    public init() {}

    /// The end of a program that this process has started. Once for each program.
    public func end(of process: Int32) -> Promise<ChildEnd> {
        let end = Promise<ChildEnd>()
        waiting[process] = end
        look()
        return end
    }

    /// Some of them may have ended.
    public func look() {
        for process in waiting.keys {
            var status: Int32 = 0
            guard unsafe waitpid(process, &status, WNOHANG) == process else { continue }
            waiting.removeValue(forKey: process)?.fulfil(ChildEnd(waitStatus: status))
        }
    }
}
