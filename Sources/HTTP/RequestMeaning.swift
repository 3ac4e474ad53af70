internal import SwitchyardText

/// What a well-formed head means: whom it addresses, and how its content is delimited (RFC 9112 sections 3 and 6).
enum RequestMeaning {
    static func resolve(_ request: inout Request, target: Range<Int>) throws(HTTPError) {
        var host: Range<Int>?
        var length: Int?
        var isEncoded = false
        for field in request.fields {
            switch field.name.count {
            case 4 where request.matches(field, "host"):
                guard host == nil else { throw HTTPError(.badRequest, .repeatedHost) }
                host = field.value
            case 14 where request.matches(field, "content-length"):
                guard length == nil else { throw HTTPError(.badRequest, .repeatedContentLength) }
                length = try contentLength(request.head[field.value])
            case 17 where request.matches(field, "transfer-encoding"):
                guard !isEncoded else { throw HTTPError(.badRequest, .unsupportedEncoding) }
                isEncoded = true
                try checkEncoding(request, field)
            case 6 where request.matches(field, "expect"):
                let value = String(decoding: request.head[field.value], as: UTF8.self).asciiLowercased
                guard value == "100-continue" else { throw HTTPError(.expectationFailed, .badExpectation) }
                request.expectsContinue = request.minorVersion == 1
            default: break
            }
        }
        // RFC 9112 section 6.1: both at once is how a request is hidden inside another.
        if isEncoded, length != nil { throw HTTPError(.badRequest, .lengthAndEncoding) }
        request.framing = isEncoded ? .chunked : length.map { $0 == 0 ? .none : .length($0) } ?? .none
        try resolveTarget(&request, target, host: host)
        request.wantsClose =
            request.minorVersion == 0
            ? !request.list("connection", contains: "keep-alive") : request.list("connection", contains: "close")
    }

    private static func contentLength(_ value: ArraySlice<UInt8>) throws(HTTPError) -> Int {
        guard !value.isEmpty, value.allSatisfy(ASCII.isDigit) else {
            throw HTTPError(.badRequest, .badContentLength)
        }
        // A number of twelve digits is too large for every limit; longer ones must not overflow.
        guard value.count <= 12 else { throw HTTPError(.contentTooLarge, .bodyTooLarge) }
        return value.reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    private static func checkEncoding(_ request: Request, _ field: Request.Field) throws(HTTPError) {
        guard request.minorVersion == 1 else { throw HTTPError(.badRequest, .unsupportedEncoding) }
        let value = String(decoding: request.head[field.value], as: UTF8.self).asciiLowercased
        guard value == "chunked" else { throw HTTPError(.notImplemented, .unsupportedEncoding) }
    }

    private static func resolveTarget(
        _ request: inout Request, _ target: Range<Int>, host: Range<Int>?
    ) throws(HTTPError) {
        if let host {
            // An empty Host names nobody, and no target that is served here is without an authority.
            guard let authority = Authority(request.head[host]) else { throw HTTPError(.badRequest, .badHost) }
            request.authority = authority
        } else {
            guard request.minorVersion == 0 else { throw HTTPError(.badRequest, .missingHost) }
            request.authority = nil
        }
        switch request.head[target.lowerBound] {
        case UInt8(ascii: "/"): split(&request, target)
        case UInt8(ascii: "*") where target.count == 1 && request.method == .options: split(&request, target)
        default: try resolveAbsolute(&request, target)
        }
    }

    /// `http://host/path` (RFC 9112 section 3.2.2). Its authority must be the one of `Host`.
    private static func resolveAbsolute(_ request: inout Request, _ target: Range<Int>) throws(HTTPError) {
        let bytes = request.head[target]
        let scheme = bytes.prefix(8).map(ASCII.lowercased)
        let start: Int
        if scheme.starts(with: "https://".utf8) {
            start = target.lowerBound + 8
        } else if scheme.starts(with: "http://".utf8) {
            start = target.lowerBound + 7
        } else {
            throw HTTPError(.badRequest, .badTarget)
        }
        let end =
            bytes[start...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? target.upperBound
        guard let authority = Authority(bytes[start..<end]) else { throw HTTPError(.badRequest, .badTarget) }
        if let host = request.authority, host != authority { throw HTTPError(.badRequest, .hostMismatch) }
        request.authority = authority
        guard end < target.upperBound, request.head[end] == UInt8(ascii: "/") else {
            // RFC 9110 section 4.2.3: an empty path means "/"; the last slash of "://" stands for it.
            request.path = (start - 1)..<start
            request.query = end < target.upperBound ? (end + 1)..<target.upperBound : nil
            return
        }
        split(&request, end..<target.upperBound)
    }

    private static func split(_ request: inout Request, _ target: Range<Int>) {
        guard let mark = request.head[target].firstIndex(of: UInt8(ascii: "?")) else {
            request.path = target
            request.query = nil
            return
        }
        request.path = target.lowerBound..<mark
        request.query = (mark + 1)..<target.upperBound
    }
}
