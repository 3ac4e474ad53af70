import Glibc
import Testing

/// A pipe that a log writes to. Its capacity, 64 KiB, bounds what a test may write between two reads.
final class LogPipe: Sendable {
    let writing: Int32
    private let reading: Int32

    init() throws {
        var descriptors: [Int32] = [-1, -1]
        try #require(unsafe pipe(&descriptors) == 0)
        for descriptor in descriptors { try #require(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0) }
        reading = descriptors[0]
        writing = descriptors[1]
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// The lines written since the last call, without the time that each begins with.
    func messages() -> [String] {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe read(reading, &bytes, bytes.count)
        guard count > 0 else { return [] }
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        #expect(text.hasSuffix("\n"))
        return text.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map { line in
            // RFC 3339 in UTC with milliseconds; the digits are not compared.
            let shape = line.prefix(24).map { $0.isNumber ? "0" : $0 }
            #expect(String(shape) == "0000-00-00T00:00:00.000Z")
            #expect(line.dropFirst(24).first == " ")
            return String(line.dropFirst(25))
        }
    }
}
