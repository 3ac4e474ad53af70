internal import SwitchyardText

/// One whole request, in the words of RFC 9110, independent of the version of HTTP.
///
/// The bytes are kept undecoded, because decisions must rest on the bytes that were sent.
public struct Request: Sendable {
    public internal(set) var method = Method.other
    /// The authority that the client means to reach. nil only where its version of HTTP lets it leave that out.
    public var authority: HostAndPort? { authorityPosition.map { HostAndPort(fields.bytes[$0.host], $0.port) } }
    public internal(set) var fields = Fields()
    /// The content, with any transfer coding removed.
    public var body: [UInt8] = []
    public internal(set) var connection: ConnectionContext

    /// The places of the authority and the target in the bytes of the fields.
    var authorityPosition: HostAndPort.Position?
    var path: Range<Int> = 0..<0
    var query: Range<Int>?

    init(connection: ConnectionContext) {
        self.connection = connection
    }

    /// The host of the authority as the client wrote it, in any case; nil without one. Does not copy.
    public var hostBytes: ArraySlice<UInt8>? { authorityPosition.map { fields.bytes[$0.host] } }

    /// The port of the authority; nil if the client named no port.
    public var port: Int? { authorityPosition?.port }

    /// The path, byte for byte, undecoded; starts with `/` (or is `*`).
    public var pathBytes: ArraySlice<UInt8> { fields.bytes[path] }

    /// The part behind the first `?`, byte for byte; nil without a `?`.
    public var queryBytes: ArraySlice<UInt8>? { query.map { fields.bytes[$0] } }

    public var pathText: String { String(decoding: pathBytes, as: UTF8.self) }

    /// The value of a field; the values of a repeated field, joined with `, `.
    /// - Parameter name: in lower case.
    public func field(_ name: StaticString) -> String? { fields[name] }

    /// Every value of a field, in order.
    /// - Parameter name: in lower case.
    public func fieldValues(_ name: StaticString) -> [String] { fields.values(name) }

    /// - Parameter name: in lower case.
    public func hasField(_ name: StaticString) -> Bool { fields.contains(name) }

    /// The media type of the content, in lower case and without parameters (RFC 9110 section 8.3.1).
    public var mediaType: String? {
        field("content-type").map { $0.prefix(before: UInt8(ascii: ";")).trimmingSpaces().asciiLowercased }
    }

    /// Whether the content is compressed or changed otherwise (RFC 9110 section 8.4). This server does not decode it.
    public var isEncoded: Bool { hasField("content-encoding") }

    /// Whether the browser only looks ahead (prefetch, prerender, preview), so that no person has chosen to come.
    public var isPrefetch: Bool {
        (fieldValues("sec-purpose") + fieldValues("purpose") + fieldValues("x-purpose") + fieldValues("x-moz"))
            .contains { value in
                let purpose = value.asciiLowercased
                return ["prefetch", "prerender", "preview"].contains { purpose.contains($0) }
            }
    }

    /// Whether the request is a top-level navigation: no page fetches, frames or loads the address (Fetch Metadata). A browser
    /// that sends no `Sec-Fetch-Mode` and no `Sec-Fetch-Dest` passes.
    public var isNavigation: Bool {
        fields.holdsOnly("navigate", in: "sec-fetch-mode") && fields.holdsOnly("document", in: "sec-fetch-dest")
    }

    /// A request method (RFC 9110 section 9). The ones that are answered have a case; any other token is `other`.
    public enum Method: String, Sendable, Equatable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
        case patch = "PATCH"
        case options = "OPTIONS"
        case connect = "CONNECT"
        case trace = "TRACE"
        case other

        /// Methods are case-sensitive.
        init(_ token: ArraySlice<UInt8>) {
            // By far the most frequent one, and compared without a loop.
            if token.count == 3, token[token.startIndex] == UInt8(ascii: "G"),
                token[token.startIndex + 1] == UInt8(ascii: "E"), token[token.startIndex + 2] == UInt8(ascii: "T")
            {
                self = .get
                return
            }
            self =
                switch token.count {
                case 3 where token.elementsEqual("PUT".utf8): .put
                case 4 where token.elementsEqual("POST".utf8): .post
                case 4 where token.elementsEqual("HEAD".utf8): .head
                case 5 where token.elementsEqual("PATCH".utf8): .patch
                case 5 where token.elementsEqual("TRACE".utf8): .trace
                case 6 where token.elementsEqual("DELETE".utf8): .delete
                case 7 where token.elementsEqual("OPTIONS".utf8): .options
                case 7 where token.elementsEqual("CONNECT".utf8): .connect
                default: .other
                }
        }
    }
}
