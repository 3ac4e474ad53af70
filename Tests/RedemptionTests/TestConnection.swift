import Glibc

/// One connection of the test server.
final class TestConnection {
    private let descriptor: Int32
    private let number: Int
    private var buffer: [UInt8] = []

    init(_ descriptor: Int32, number: Int) {
        self.descriptor = descriptor
        self.number = number
    }

    /// The next whole request; nil when the client is gone.
    func read() -> ReceivedRequest? {
        var headerEnd = buffer.firstRange(of: Array("\r\n\r\n".utf8))
        while headerEnd == nil {
            guard fill() else { return nil }
            headerEnd = buffer.firstRange(of: Array("\r\n\r\n".utf8))
        }
        guard let headerEnd else { return nil }
        let lines = String(decoding: buffer[..<headerEnd.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (name: parts[0].lowercased(), value: parts[1].drop { $0 == " " }.description)
        }
        let length = headers.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
        while buffer.count < headerEnd.upperBound + length {
            guard fill() else { return nil }
        }
        let body = buffer[headerEnd.upperBound..<headerEnd.upperBound + length]
        let start = lines[0].split(separator: " ")
        let request = ReceivedRequest(
            method: String(start[0]), path: String(start[1]), headers: headers,
            body: String(decoding: body, as: UTF8.self), connection: number)
        buffer.removeFirst(headerEnd.upperBound + length)
        return request
    }

    /// False when the connection is to be closed.
    func perform(_ reply: Reply) -> Bool {
        switch reply {
        case .answer(let status, let headers, let body):
            let lines = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
            return write("HTTP/1.1 \(status) X\r\n\(lines)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        case .answerThenClose(let body):
            write(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
            return false
        case .packed(let content, let encoding):
            return write(
                "HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Encoding: \(encoding)\r\n"
                    + "Content-Length: \(content.count)\r\n\r\n") && write(content)
        case .raw(let text):
            write(text)
            return false
        case .drip:
            write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n")
            while write(" ") { usleep(20_000) }
            return false
        case .flood:
            write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
            while write("400\r\n" + String(repeating: " ", count: 0x400) + "\r\n") {}
            return false
        case .close: return false
        case .reset:
            var option = linger(l_onoff: 1, l_linger: 0)
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
            return false
        }
    }

    private func fill() -> Bool {
        var part = [UInt8](repeating: 0, count: 16_384)
        let count = unsafe recv(descriptor, &part, part.count, 0)
        guard count > 0 else { return false }
        buffer += part[..<count]
        return true
    }

    @discardableResult
    private func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    private func write(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe send(descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
