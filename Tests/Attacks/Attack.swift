import Testing

/// One line of `attacks.txt`; the file says what its columns mean.
struct Attack: Sendable, CustomTestStringConvertible {
    enum Kind: String, Sendable {
        case uri, callback, path, host, response, post, request, svg, svgfile
    }

    let kind: Kind
    let expectation: String
    let bytes: [UInt8]
    /// Its line in the file, from 1.
    let line: Int

    var text: String { String(decoding: bytes, as: UTF8.self) }
    var testDescription: String { "line \(line)" }
}
