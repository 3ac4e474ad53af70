import Glibc
import Testing

/// A program that a test runs to its end, such as `openssl`. One without output for twenty seconds is killed.
enum Command {
    /// The program's output and errors, and its end.
    struct Outcome {
        let status: Int32
        let text: String
    }

    /// Runs a program of the search path. Its input is `input`, and then the end.
    static func run(_ words: [String], input: String = "") throws -> Outcome {
        // One socket for all three streams. Other children must not hold it open.
        var ends: [Int32] = [-1, -1]
        let made = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        try #require(made == 0)
        defer { close(ends[0]) }
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        _ = unsafe setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let spawned = spawn(words, streams: ends[1])
        close(ends[1])
        let child = try #require(spawned)
        let bytes = Array(input.utf8)
        // Programs here read little, so it fits into the socket's buffer.
        _ = unsafe send(ends[0], bytes, bytes.count, Int32(MSG_NOSIGNAL))
        shutdown(ends[0], Int32(SHUT_WR))
        let (text, isComplete) = readToEnd(ends[0])
        if !isComplete { kill(child, SIGKILL) }
        var status: Int32 = -1
        _ = unsafe waitpid(child, &status, 0)
        try #require(isComplete, "\(words) did not come to its end: \(text)")
        return Outcome(status: status >> 8 & 0xFF, text: text)
    }

    private static func spawn(_ words: [String], streams: Int32) -> pid_t? {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for stream in 0...2 as ClosedRange<Int32> { unsafe posix_spawn_file_actions_adddup2(&actions, streams, stream) }
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
        var child = pid_t()
        let result = unsafe posix_spawnp(&child, words[0], &actions, nil, &arguments, environ)
        return result == 0 ? child : nil
    }

    /// Whether it is all is false when the time was over first.
    private static func readToEnd(_ descriptor: Int32) -> (text: String, isComplete: Bool) {
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = unsafe read(descriptor, &piece, piece.count)
            // A program that ends without having read all of its input resets the socket; that is an end too.
            let isComplete = count == 0 || errno != EAGAIN
            guard count > 0 else { return (String(decoding: text, as: UTF8.self), isComplete) }
            text += piece[..<count]
        }
    }
}
