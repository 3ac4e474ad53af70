/// Writes the head of an answer (RFC 9112 section 4).
struct ResponseEncoder {
    /// How the end of a streamed body is told.
    enum Streaming { case chunked, untilClose }

    /// The whole answer for a body in memory; the head only for a streamed one.
    static func encode(
        _ response: Response, date: [UInt8], keepsConnection: Bool, isHead: Bool, streaming: Streaming
    ) -> [UInt8] {
        var content: [UInt8] = []
        if case .bytes(let bytes) = response.body { content = bytes }
        var out: [UInt8] = []
        out.reserveCapacity(192 + response.fieldLines.count + content.count)
        append(response.status.line, to: &out)
        out.append(contentsOf: date)
        out.append(contentsOf: response.fieldLines)
        switch response.body {
        case .stream:
            if streaming == .chunked { append("Transfer-Encoding: chunked\r\n", to: &out) }
        case .none, .bytes, .later:
            if response.status.allowsBody {
                append("Content-Length: ", to: &out)
                appendDecimal(content.count, to: &out)
                append("\r\n", to: &out)
            }
        }
        append(keepsConnection ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n", to: &out)
        if !isHead, response.status.allowsBody { out.append(contentsOf: content) }
        return out
    }

    static func append(_ text: StaticString, to out: inout [UInt8]) {
        text.withUTF8Buffer { unsafe out.append(contentsOf: $0) }
    }

    private static func appendDecimal(_ number: Int, to out: inout [UInt8]) {
        if number < 10 {
            out.append(48 + UInt8(number))
        } else {
            out.append(contentsOf: String(number).utf8)
        }
    }
}
