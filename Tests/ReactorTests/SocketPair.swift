import Glibc
import Testing

/// Two connected stream sockets. The caller closes the descriptors that it takes.
struct SocketPair {
    let ours: Int32
    let theirs: Int32

    /// `ours` does not block; `theirs` does, for at most ten seconds.
    init() throws {
        var descriptors: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(unsafe socketpair(AF_UNIX, type, 0, &descriptors) == 0)
        ours = descriptors[0]
        theirs = descriptors[1]
        try #require(fcntl(ours, F_SETFL, O_NONBLOCK) == 0)
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        try #require(unsafe setsockopt(theirs, SOL_SOCKET, SO_RCVTIMEO, &limit, size) == 0)
    }

    func sendFromTheirs(_ bytes: [UInt8]) {
        _ = unsafe send(theirs, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}
