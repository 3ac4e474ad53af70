/// Writes the head of an answer (RFC 9112 section 4), and the content that is in memory behind it.
enum ResponseEncoder {
    /// Appends to `out` the whole answer for a body in memory; the head only for a streamed one.
    /// - Parameters:
    ///   - date: the `Date` line with its line break.
    ///   - isChunked: how the end of a streamed body is told: in its last chunk, or by the end of the connection.
    static func encode(
        _ response: Response, date: [UInt8], keepsConnection: Bool, isHead: Bool, isChunked: Bool,
        into out: inout [UInt8]
    ) {
        var content: [UInt8] = []
        if case .bytes(let bytes) = response.body { content = bytes }
        let fields = response.fields
        out.reserveCapacity(192 + fields.bytes.count + fields.lines.count * 4 + content.count)
        append("HTTP/1.1 ", to: &out)
        appendDecimal(response.status.code, to: &out)
        append(" ", to: &out)
        append(response.status.reasonPhrase, to: &out)
        append("\r\n", to: &out)
        out.append(contentsOf: date)
        for line in fields.lines {
            out.append(contentsOf: fields.bytes[line.name])
            append(": ", to: &out)
            out.append(contentsOf: fields.bytes[line.value])
            append("\r\n", to: &out)
        }
        switch response.body {
        case .stream:
            if isChunked { append("Transfer-Encoding: chunked\r\n", to: &out) }
        case .none, .bytes, .later:
            if response.status.allowsBody {
                append("Content-Length: ", to: &out)
                appendDecimal(content.count, to: &out)
                append("\r\n", to: &out)
            }
        }
        append(keepsConnection ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n", to: &out)
        if !isHead, response.status.allowsBody { out.append(contentsOf: content) }
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
