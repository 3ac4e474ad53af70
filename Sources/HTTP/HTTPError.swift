/// The reason why a request was refused by HTTP itself. The connection is closed then, because the start of the next
/// request is unknown.
public struct HTTPError: Error, Sendable, Equatable {
    public let status: Status
    /// A short name from a fixed list, for logs and metrics; never holds input.
    public let reason: Reason
    /// The beginning of the request's path, without its query, where the head could not be read; nil where not even that was there.
    public var path: [UInt8]?

    /// The fixed list of reasons.
    public enum Reason: String, Sendable, CaseIterable {
        case badRequestLine, badTarget, badVersion, unsupportedVersion, requestLineTooLong
        case bareLineBreak, badFieldName, badFieldValue, lineFolding, headerTooLarge, tooManyFields
        case missingHost, repeatedHost, badHost, hostMismatch
        case badContentLength, repeatedContentLength, lengthAndEncoding, unsupportedEncoding
        case badChunk, bodyTooLarge, badExpectation, timeout, tooManyConnections, tooManyConnectionsOfAddress
        case tooManyConnectionsOfNetwork, tooManyUnfinishedBytes

        /// The explanation for the client, without any of its input.
        public var explanation: String {
            switch self {
            case .badRequestLine: "the request line is malformed (RFC 9112 section 3)"
            case .badTarget:
                "the request target is neither a path nor an http or https address (RFC 9112 section 3.2)"
            case .badVersion, .unsupportedVersion: "the version is not HTTP/1.0 or HTTP/1.1"
            case .requestLineTooLong: "the request line is longer than this server takes"
            case .bareLineBreak: "a line ends with something else than CR LF"
            case .badFieldName: "the name of a header field holds what cannot stand in one"
            case .badFieldValue: "the value of a header field holds what cannot stand in one"
            case .lineFolding: "a header field goes on in the next line, which is obsolete"
            case .headerTooLarge: "the header is larger than this server takes"
            case .tooManyFields: "the header has more fields than this server takes"
            case .missingHost: "there is no Host"
            case .repeatedHost: "there is more than one Host"
            case .badHost: "Host names no host"
            case .hostMismatch: "Host names another host than the request target"
            case .badContentLength: "Content-Length is no number"
            case .repeatedContentLength: "there is more than one Content-Length"
            case .lengthAndEncoding: "there is Content-Length beside Transfer-Encoding"
            case .unsupportedEncoding: "the only Transfer-Encoding that is read is chunked"
            case .badChunk: "a chunk of the content is malformed (RFC 9112 section 7.1)"
            case .bodyTooLarge: "the content is larger than this server takes"
            case .badExpectation: "the only Expect that is met is 100-continue"
            case .timeout: "the request did not come in time"
            case .tooManyConnections: "this server has as many connections as it may"
            case .tooManyConnectionsOfAddress: "this server has as many connections of your address as it may"
            case .tooManyConnectionsOfNetwork: "this server has as many connections of your network as it may"
            case .tooManyUnfinishedBytes: "this server has as many unfinished requests as it may"
            }
        }
    }

    /// After how many seconds the same request may be tried again, where that helps.
    var retryAfter: Int? { status == .serviceUnavailable ? 5 : nil }

    init(_ status: Status, _ reason: Reason) {
        self.status = status
        self.reason = reason
    }
}
