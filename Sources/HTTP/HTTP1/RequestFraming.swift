internal import SwitchyardText

/// The framing of a message according to its head: the delimitation of its content (RFC 9112 section 6), and the
/// client's expectations of the connection.
struct RequestFraming: Sendable, Equatable {
    /// Bytes of the head.
    let headLength: Int
    /// 0 or 1: the minor number of HTTP/1.x.
    let minorVersion: Int
    private(set) var content = Content.none
    /// Whether the client ends the connection after the answer.
    private(set) var wantsClose = false
    private(set) var expectsContinue = false

    enum Content: Sendable, Equatable {
        case none
        case length(Int)
        case chunked
    }

    /// Framing for answers to unreadable requests: assume HTTP/1.1.
    static let unread = RequestFraming(headLength: 0, minorVersion: 1)

    private init(headLength: Int, minorVersion: Int) {
        self.headLength = headLength
        self.minorVersion = minorVersion
    }

    /// Finds the framing that the fields of `request` give its message, and the authority that it addresses (RFC 9112
    /// section 3).
    /// - Parameter target: the position of the request target in the head.
    init(
        of request: inout Request, target: Range<Int>, minorVersion: Int, headLength: Int
    ) throws(HTTPError) {
        self.init(headLength: headLength, minorVersion: minorVersion)
        var host: Range<Int>?
        var length: Int?
        var isEncoded = false
        for line in request.fields.lines {
            switch line.name.count {
            case 4 where request.fields.matches(line, "host"):
                guard host == nil else { throw HTTPError(.badRequest, .repeatedHost) }
                host = line.value
            case 14 where request.fields.matches(line, "content-length"):
                guard length == nil else { throw HTTPError(.badRequest, .repeatedContentLength) }
                length = try Self.contentLength(request.fields.bytes[line.value])
            case 17 where request.fields.matches(line, "transfer-encoding"):
                guard !isEncoded else { throw HTTPError(.badRequest, .unsupportedEncoding) }
                isEncoded = true
                try checkEncoding(request.fields.bytes[line.value])
            case 6 where request.fields.matches(line, "expect"):
                guard Self.isWord(request.fields.bytes[line.value], "100-continue") else {
                    throw HTTPError(.expectationFailed, .badExpectation)
                }
                expectsContinue = minorVersion == 1
            default: break
            }
        }
        // RFC 9112 section 6.1: both at once is how a request is hidden inside another.
        if isEncoded, length != nil { throw HTTPError(.badRequest, .lengthAndEncoding) }
        content = isEncoded ? .chunked : length.map { $0 == 0 ? .none : .length($0) } ?? .none
        try RequestTarget.resolve(&request, target, host: host, mustNameHost: minorVersion == 1)
        wantsClose =
            minorVersion == 0
            ? !request.fields.list("connection", contains: "keep-alive")
            : request.fields.list("connection", contains: "close")
    }

    /// Without regard to case.
    private static func isWord(_ value: ArraySlice<UInt8>, _ word: String) -> Bool {
        value.elementsEqual(word.utf8) { ASCII.lowercased($0) == $1 }
    }

    private static func contentLength(_ value: ArraySlice<UInt8>) throws(HTTPError) -> Int {
        guard !value.isEmpty, value.allSatisfy(ASCII.isDigit) else {
            throw HTTPError(.badRequest, .badContentLength)
        }
        // A number of twelve digits is too large for every limit; longer ones must not overflow.
        guard value.count <= 12 else { throw HTTPError(.contentTooLarge, .bodyTooLarge) }
        return value.reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    private func checkEncoding(_ value: ArraySlice<UInt8>) throws(HTTPError) {
        guard minorVersion == 1 else { throw HTTPError(.badRequest, .unsupportedEncoding) }
        guard Self.isWord(value, "chunked") else { throw HTTPError(.notImplemented, .unsupportedEncoding) }
    }
}

/// The authority and the resource that a request line addresses (RFC 9112 section 3.2).
private enum RequestTarget {
    static func resolve(
        _ request: inout Request, _ target: Range<Int>, host: Range<Int>?, mustNameHost: Bool
    ) throws(HTTPError) {
        if let host {
            // An empty Host names no authority, and every target that is served here has one.
            guard let position = HostAndPort.Position(in: request.fields.bytes[host]) else {
                throw HTTPError(.badRequest, .badHost)
            }
            request.authorityPosition = position
        } else {
            guard !mustNameHost else { throw HTTPError(.badRequest, .missingHost) }
            request.authorityPosition = nil
        }
        switch request.fields.bytes[target.lowerBound] {
        case UInt8(ascii: "/"): split(&request, target)
        case UInt8(ascii: "*") where target.count == 1 && request.method == .options: split(&request, target)
        default: try resolveAbsolute(&request, target)
        }
    }

    /// `http://host/path` (RFC 9112 section 3.2.2). Its authority must be the one of `Host`.
    private static func resolveAbsolute(_ request: inout Request, _ target: Range<Int>) throws(HTTPError) {
        let bytes = request.fields.bytes[target]
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
        let host = request.authority
        guard let position = HostAndPort.Position(in: bytes[start..<end]) else {
            throw HTTPError(.badRequest, .badTarget)
        }
        request.authorityPosition = position
        if let host, host != request.authority { throw HTTPError(.badRequest, .hostMismatch) }
        guard end < target.upperBound, request.fields.bytes[end] == UInt8(ascii: "/") else {
            // RFC 9110 section 4.2.3: an empty path means "/". The last slash of "://" represents it.
            request.path = (start - 1)..<start
            request.query = end < target.upperBound ? (end + 1)..<target.upperBound : nil
            return
        }
        split(&request, end..<target.upperBound)
    }

    private static func split(_ request: inout Request, _ target: Range<Int>) {
        guard let question = request.fields.bytes[target].firstIndex(of: UInt8(ascii: "?")) else {
            request.path = target
            request.query = nil
            return
        }
        request.path = target.lowerBound..<question
        request.query = (question + 1)..<target.upperBound
    }
}
