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

extension Socket {
    /// The next piece; nil at the end, and after the deadline (``deadline``).
    public func nextPiece() async -> ArraySlice<UInt8>? {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            switch read(into: &buffer, at: 0) {
            case .bytes(let count): return buffer[..<count]
            case .endOfStream, .failed: return nil
            case .wouldBlock: guard await readable() == .ready else { return nil }
            }
        }
    }

    /// Writes all bytes.
    /// - Returns: false when the reader has gone, and after the deadline (``deadline``).
    public func writeAll(_ bytes: [UInt8]) async -> Bool {
        var offset = 0
        while offset < bytes.count {
            switch write(bytes, from: offset) {
            case .bytes(let count): offset += count
            case .endOfStream, .failed: return false
            case .wouldBlock: guard await writable() == .ready else { return false }
            }
        }
        return true
    }
}
