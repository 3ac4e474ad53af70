/// A method on the bus, with its owner and its interface.
public struct BusMethod: Hashable, Sendable {
    /// A well-known name, such as `org.freedesktop.Notifications`, or a connection's own, such as `:1.42`.
    public var destination: String
    public var path: String
    public var interface: String
    public var member: String
    /// Whether the bus starts the program that a well-known name belongs to, if it does not run.
    public var startsProgram: Bool
    /// Whether the call holds a secret: its memory is wiped once it was sent.
    public var isSensitive: Bool

    public init(
        _ destination: String, _ path: String, _ interface: String, _ member: String, startsProgram: Bool = true,
        isSensitive: Bool = false
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.startsProgram = startsProgram
        self.isSensitive = isSensitive
    }

    /// A method of the bus itself.
    static func ofBus(_ member: String) -> BusMethod {
        BusMethod("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", member)
    }
}
