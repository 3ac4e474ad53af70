import Glibc
import SwitchyardReactor
import Testing

/// A pipe that lines are written to, as small as the kernel makes one, so that it is soon full.
final class LogPipe: Sendable {
    static let capacity = 4096

    /// `F_SETPIPE_SZ`, which Glibc's module does not have.
    private static let setPipeSize: Int32 = 1031

    let writing: Int32
    private let reading: Int32

    init() throws {
        var descriptors: [Int32] = [-1, -1]
        try #require(unsafe pipe(&descriptors) == 0)
        reading = descriptors[0]
        writing = descriptors[1]
        try #require(fcntl(writing, Self.setPipeSize, Int32(Self.capacity)) == Int32(Self.capacity))
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// The next `count` lines, waited for.
    func lines(_ count: Int) -> [String] {
        var bytes: [UInt8] = []
        var lines = 0
        while lines < count {
            var byte: UInt8 = 0
            guard unsafe read(reading, &byte, 1) == 1 else { break }
            bytes.append(byte)
            if byte == UInt8(ascii: "\n") { lines += 1 }
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast()
            .map(String.init)
    }
}
