/// One name with its value. The value may be a code or a state, so it does not print.
public struct FormField: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    public var description: String { "\(name)=[redacted]" }
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
