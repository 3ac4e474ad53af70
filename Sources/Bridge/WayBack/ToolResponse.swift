/// A response of a tool, whole. All of it is untrusted.
public struct ToolResponse: Sendable {
    public let status: Int
    public let body: [UInt8]
    /// By their names in lower case; values of a field that stands more than once are joined with `, `.
    private let fields: [String: String]

    public init(status: Int, fields: [String: String], body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// - Parameter name: in lower case.
    func field(_ name: String) -> String? { fields[name] }

    /// The redirect target, if any.
    public var location: String? { [301, 302, 303, 307, 308].contains(status) ? fields["location"] : nil }
}
