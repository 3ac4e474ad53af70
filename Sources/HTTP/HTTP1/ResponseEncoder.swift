internal import SwitchyardReactor
internal import SwitchyardText

/// Writes answers (RFC 9112 section 4). Belongs to one loop.
///
/// Status line and `Date` (RFC 9110 section 6.6.1) are the same for all answers of one status within a
/// second, and are kept that long.
final class ResponseEncoder {
    private var starts: [(code: Int, bytes: [UInt8])] = []
    private var date: [UInt8] = []
    private var validUntil = Instant(nanoseconds: 0)
    private let clock: () -> WallTime

    init(clock: @escaping () -> WallTime = WallTime.now) {
        self.clock = clock
    }

    /// Appends to `out` the whole answer for a body in memory; the head only for a streamed one.
    /// - Parameter isChunked: how the end of a streamed body is told: in its last chunk, or by the end
    ///   of the connection.
    func encode(
        _ response: Response, at now: Instant, keepsConnection: Bool, isHead: Bool, isChunked: Bool,
        into out: inout [UInt8]
    ) {
        if now >= validUntil { renewDate(now) }
        var content: [UInt8] = []
        if case .bytes(let bytes) = response.body { content = bytes }
        let start = start(of: response.status)
        out.reserveCapacity(start.count + response.fields.bytes.count + content.count + 80)
        out.append(contentsOf: start)
        if let section = response.fields.section {
            out.append(contentsOf: section)
            Self.append("\r\n", to: &out)
        }
        switch response.body {
        case .stream:
            if isChunked { Self.append("Transfer-Encoding: chunked\r\n", to: &out) }
        case .none, .bytes, .later:
            if response.status.allowsBody {
                Self.append("Content-Length: ", to: &out)
                Self.appendDecimal(content.count, to: &out)
                Self.append("\r\n", to: &out)
            }
        }
        Self.append(keepsConnection ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n", to: &out)
        if !isHead, response.status.allowsBody, !content.isEmpty { out.append(contentsOf: content) }
    }

    private func renewDate(_ now: Instant) {
        let time = clock()
        date = Array("Date: \(HTTPDate.format(time.seconds))\r\n".utf8)
        starts.removeAll(keepingCapacity: true)
        validUntil = now + .milliseconds(1000 - time.milliseconds % 1000)
    }

    private func start(of status: Status) -> [UInt8] {
        for start in starts where start.code == status.code { return start.bytes }
        let bytes = Array("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n".utf8) + date
        starts.append((status.code, bytes))
        return bytes
    }

    private static func append(_ text: StaticString, to out: inout [UInt8]) {
        text.withUTF8Buffer { unsafe out.append(contentsOf: $0) }
    }

    private static func appendDecimal(_ number: Int, to out: inout [UInt8]) {
        var divisor = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            out.append(48 + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }
}
