/// Why a request was refused on the wire. After any of these the connection is closed: where the next request starts
/// can no longer be known.
public struct HTTPError: Error, Sendable, Equatable {
    public let status: Status
    /// A short name from a fixed list, for logs and metrics; never holds input.
    public let reason: StaticReason

    /// The fixed list of reasons.
    public enum StaticReason: String, Sendable, CaseIterable {
        case badRequestLine, badTarget, badVersion, unsupportedVersion, requestLineTooLong
        case bareLineBreak, badFieldName, badFieldValue, lineFolding, headerTooLarge, tooManyFields
        case missingHost, repeatedHost, badHost, hostMismatch
        case badContentLength, repeatedContentLength, lengthAndEncoding, unsupportedEncoding
        case badChunk, bodyTooLarge, badExpectation, timeout
    }

    init(_ status: Status, _ reason: StaticReason) {
        self.status = status
        self.reason = reason
    }
}
