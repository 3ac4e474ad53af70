internal import Glibc
internal import SwitchyardCLinux

/// A stream between this process and one that it begins.
public struct ChildChannel: Sendable {
    /// On the loop.
    public let socket: Socket
    /// For the other process, and blocking; to be closed here once that one has it.
    public let descriptor: Int32

    /// Only on the loop's thread.
    public init(on loop: EventLoop) throws(SystemError) {
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &pair) == 0 else { throw SystemError("socketpair", code: errno) }
        _ = sy_set_descriptor_flags(pair[0])
        descriptor = pair[1]
        do {
            socket = try Socket(adopting: pair[0], on: loop)
        } catch {
            close(pair[0])
            close(pair[1])
            throw error
        }
    }

    /// Closes ``descriptor`` here: the other process has its own copy.
    public func closeDescriptor() { close(descriptor) }
}
