internal import Glibc

/// A pipe between two processes. The owner closes its sides.
public struct Pipe: Sendable {
    public let reading: Int32
    public let writing: Int32

    public init() throws(SystemError) {
        var pair: [Int32] = [-1, -1]
        guard unsafe pipe(&pair) == 0 else { throw SystemError("pipe", code: errno) }
        for descriptor in pair { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (pair[0], pair[1])
    }
}
