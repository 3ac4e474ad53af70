import Glibc
import Testing

/// A client with a blocking socket that sends what a test wants, right or wrong. Gives up after ten seconds.
final class TestClient {
    /// An answer, taken apart.
    struct Answer: Equatable {
        let status: Int
        let head: String
        var body: String

        func has(_ line: String) -> Bool { head.contains("\r\n\(line)\r\n") }
    }

    private let descriptor: Int32
    private var buffer: [UInt8] = []

    init(port: UInt16) throws {
        descriptor = try Self.connected(AF_INET) { descriptor in
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            return unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
    }

    init(path: String) throws {
        descriptor = try Self.connected(AF_UNIX) { descriptor in
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(path.utf8)) }
            return unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }
    }

    deinit {
        close(descriptor)
    }

    private static func connected(_ family: Int32, _ connect: (Int32) -> Int32) throws -> Int32 {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        guard connect(descriptor) == 0 else {
            close(descriptor)
            throw Failure.notConnected
        }
        return descriptor
    }

    enum Failure: Error { case notConnected, noAnswer }

    func send(_ text: String) {
        send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe Glibc.send(
                    descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    func stopSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Whether the server has closed the connection, without another byte. Waits for it.
    func isAtEnd() -> Bool { buffer.isEmpty && receive() == 0 }

    /// Waits for everything up to the end of the connection.
    func readToEnd() -> String {
        while receive() > 0 {}
        defer { buffer = [] }
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Waits for the end of the connection.
    /// - Returns: whether it came by the server's own close, behind whole chunks if there are any.
    func endsOrderly() -> Bool {
        var last = receive()
        while last > 0 { last = receive() }
        let text = String(decoding: buffer, as: UTF8.self)
        return last == 0 && (!text.contains("Transfer-Encoding: chunked") || text.hasSuffix("0\r\n\r\n"))
    }

    /// Waits for one answer.
    /// - Parameter isHead: whether it is to HEAD, so that it has no body whatever its length says.
    func readAnswer(isHead: Bool = false) throws -> Answer {
        let head = String(decoding: try take(through: "\r\n\r\n"), as: UTF8.self)
        guard let status = Int(head.dropFirst(9).prefix(3)) else { throw Failure.noAnswer }
        var answer = Answer(status: status, head: head, body: "")
        if isHead || status < 200 || status == 204 { return answer }
        if answer.has("Transfer-Encoding: chunked") {
            answer.body = try readChunks()
        } else if let length = Self.length(head) {
            answer.body = String(decoding: try take(length), as: UTF8.self)
        }
        return answer
    }

    private static func length(_ head: String) -> Int? {
        head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }.flatMap { Int($0.dropFirst(16)) }
    }

    private func readChunks() throws -> String {
        var body = ""
        while true {
            let line = String(decoding: try take(through: "\r\n").dropLast(2), as: UTF8.self)
            guard let size = Int(line, radix: 16) else { throw Failure.noAnswer }
            body += String(decoding: try take(size), as: UTF8.self)
            _ = try take(2)
            if size == 0 { return body }
        }
    }

    private func take(through end: String) throws -> [UInt8] {
        let end = Array(end.utf8)
        while true {
            if let range = buffer.firstRange(of: end) { return try take(range.upperBound) }
            guard receive() > 0 else { throw Failure.noAnswer }
        }
    }

    private func take(_ count: Int) throws -> [UInt8] {
        while buffer.count < count { guard receive() > 0 else { throw Failure.noAnswer } }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    /// Waits for more bytes. 0 at the end; less when the time is over or the connection was reset.
    private func receive() -> Int {
        var piece = [UInt8](repeating: 0, count: 65536)
        let count = unsafe recv(descriptor, &piece, piece.count, 0)
        if count > 0 { buffer += piece[..<count] }
        return count
    }
}
