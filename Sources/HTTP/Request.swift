internal import SwitchyardText

/// One request, whole: the head as it came, its parts as ranges of it, and the body.
///
/// The bytes are kept undecoded, because what decides must be what was sent.
public struct Request: Sendable {
    public internal(set) var method = Method.other
    /// 0 or 1: the minor number of HTTP/1.x.
    public internal(set) var minorVersion = 1
    /// From `Host`, or from an absolute-form target, which then agree. nil only in HTTP/1.0.
    public internal(set) var authority: Authority?
    /// The content, with any transfer coding removed.
    public var body: [UInt8] = []
    public internal(set) var connection: ConnectionContext

    var head: [UInt8] = []
    var path: Range<Int> = 0..<0
    var query: Range<Int>?
    var fields: [Field] = []
    var framing = Framing.none
    var wantsClose = false
    var expectsContinue = false

    struct Field: Sendable {
        let name: Range<Int>
        let value: Range<Int>
    }

    /// How the content is delimited (RFC 9112 section 6).
    enum Framing: Sendable, Equatable {
        case none
        case length(Int)
        case chunked
    }

    init(connection: ConnectionContext) {
        self.connection = connection
    }

    /// The path, byte for byte, undecoded; starts with `/` (or is `*`).
    public var pathBytes: ArraySlice<UInt8> { head[path] }

    /// What follows the first `?`, byte for byte; nil when there is no `?`.
    public var queryBytes: ArraySlice<UInt8>? { query.map { head[$0] } }

    public var pathText: String { String(decoding: pathBytes, as: UTF8.self) }

    /// The value of a field that stands once; the values joined with `, ` when it stands more often.
    /// - Parameter name: in lower case.
    public func field(_ name: StaticString) -> String? {
        let values = fieldValues(name)
        guard let first = values.first else { return nil }
        return values.count == 1 ? first : values.joined(separator: ", ")
    }

    /// Every value of a field, in order.
    /// - Parameter name: in lower case.
    public func fieldValues(_ name: StaticString) -> [String] {
        var values: [String] = []
        for field in fields where matches(field, name) {
            values.append(String(decoding: head[field.value], as: UTF8.self))
        }
        return values
    }

    /// The media type of the content, in lower case and without parameters (RFC 9110 section 8.3.1).
    public var mediaType: String? {
        let type = field("content-type")?.split(separator: ";", omittingEmptySubsequences: false).first
        return type.map { $0.trimmingSpaces().asciiLowercased }
    }

    public func hasField(_ name: StaticString) -> Bool {
        fields.contains { matches($0, name) }
    }

    /// Whether a field of a comma-separated list holds `token`, ignoring case.
    func list(_ name: StaticString, contains token: String) -> Bool {
        fieldValues(name).contains { value in
            value.listElements.contains { $0.trimmingSpaces().asciiLowercased == token }
        }
    }

    func matches(_ field: Field, _ name: StaticString) -> Bool {
        guard field.name.count == name.utf8CodeUnitCount else { return false }
        return name.withUTF8Buffer { wanted in
            for offset in 0..<field.name.count
            where ASCII.lowercased(head[field.name.lowerBound + offset]) != (unsafe wanted[offset]) { return false }
            return true
        }
    }
}
