import Glibc
import SwitchyardReactor
import Testing

@Suite("Writing lines", .timeLimit(.minutes(1))) struct LineWriterTests {
    private let pipe: LogPipe

    init() throws {
        pipe = try LogPipe()
    }

    private func writer(capacity: Int = 1024, to descriptor: Int32? = nil) throws -> LineWriter {
        try LineWriter(descriptor: descriptor ?? pipe.writing, capacity: capacity) { Array("lost \($0)\n".utf8) }
    }

    /// 16 bytes.
    private func line(_ number: Int) -> String {
        let digits = "\(number)"
        return "line " + String(repeating: "0", count: 10 - digits.count) + digits
    }

    private func bytes(_ number: Int) -> [UInt8] { Array((line(number) + "\n").utf8) }

    @Test("lines come in the order in which they were given")
    func order() throws {
        let writer = try writer()
        for number in 0..<50 { writer.write(bytes(number)) }
        #expect(pipe.lines(50) == (0..<50).map(line))
        writer.write(bytes(50))
        #expect(pipe.lines(1) == [line(50)], "also after a pause")
    }

    @Test("a writer never waits for a slow reader, and every lost line is counted")
    func lost() throws {
        let writer = try writer()
        let given = 2000
        for number in 0..<given { writer.write(bytes(number)) }
        var (numbers, lost): ([Int], Int) = ([], 0)
        while numbers.count + lost < given {
            let next = try #require(pipe.lines(1).first)
            let number = try #require(Int(next.dropFirst(5)))
            if next.hasPrefix("lost ") { lost += number } else { numbers.append(number) }
        }
        #expect(numbers.count + lost == given)
        #expect(lost > 0)
        #expect(numbers == numbers.sorted())
        writer.write(bytes(1))
        #expect(pipe.lines(1) == [line(1)], "told once")
    }

    @Test("lines of different threads do not mix")
    func threads() async throws {
        let writer = try writer(capacity: 1 << 20)
        await withTaskGroup { group in
            for start in 0..<8 { group.addTask { for number in 0..<100 { writer.write(bytes(start * 100 + number)) } } }
        }
        #expect(pipe.lines(800).sorted() == (0..<800).map(line))
    }

    @Test("at the end waiting lines are written, and no more are taken")
    func finish() throws {
        let writer = try writer()
        for number in 0..<20 { writer.write(bytes(number)) }
        #expect(writer.finish(within: .seconds(30)))
        #expect(pipe.lines(20) == (0..<20).map(line))
        writer.write(bytes(20))
        #expect(writer.finish(within: .seconds(30)))
    }

    @Test("the end waits for a missing reader only for the given time")
    func impatience() throws {
        let writer = try writer(capacity: 1 << 20)
        for number in 0..<1000 { writer.write(bytes(number)) }
        #expect(!writer.finish(within: .milliseconds(1)))
        // So that the thread ends.
        _ = pipe.lines(1000)
    }

    @Test("a full disk costs lines, not the writer: they are counted, and told of with the next one that fits")
    func fullDisk() throws {
        let descriptor = unsafe open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let writer = try writer(to: descriptor)
        for number in 0..<3 { writer.write(bytes(number)) }
        // The cause goes away: from now on the same descriptor is the pipe.
        #expect(dup2(pipe.writing, descriptor) == descriptor)
        writer.write(bytes(3))
        var accounted = 0
        while accounted < 4 {
            let next = try #require(pipe.lines(1).first)
            accounted += Int(next.dropFirst(5)).flatMap { next.hasPrefix("lost ") ? $0 : nil } ?? 1
        }
        #expect(accounted == 4)
    }

    @Test("a reader that makes the pipe non-blocking loses nothing")
    func nonBlocking() throws {
        try #require(fcntl(pipe.writing, F_SETFL, O_NONBLOCK) == 0)
        let writer = try writer(capacity: 1 << 20)
        for number in 0..<1000 { writer.write(bytes(number)) }
        #expect(pipe.lines(1000) == (0..<1000).map(line))
    }
}
