/// Why a call on the bus gave no answer.
public enum BusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no bus at the address, or it does not let this user in. With the reason, for operators.
    case unreachable(String)
    /// The connection to the bus has ended; whether the call was carried out is not known.
    case disconnected
    /// No answer came in time; whether the call was carried out is not known.
    case timedOut
    /// An error came back: its name, such as `org.freedesktop.DBus.Error.ServiceUnknown`, and its words. The other
    /// program or the bus wrote both. They may repeat the call's arguments.
    case refused(name: String, message: String)
    /// The call cannot be put into a message: a name against its grammar, a NUL in a text, elements of several types.
    case malformed(String)
    /// The answer has types that were not expected, or more values than an answer may have.
    case unreadable

    public var description: String {
        switch self {
        case .unreachable(let reason): "the bus cannot be reached: \(reason)"
        case .disconnected: "the connection to the bus has ended"
        case .timedOut: "no answer came in time"
        case .refused(let name, _): "the answer is the error \(name)"
        case .malformed(let part): "\(part) cannot be sent over D-Bus"
        case .unreadable: "the answer cannot be read"
        }
    }

    /// Whether the called name has no owner, and the bus knows no program to start for it.
    public var isNobodyThere: Bool {
        guard case .refused(let name, _) = self else { return false }
        return [
            "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
        ].contains(name)
    }

    /// Whether the bus knows a program for the name and could not start it.
    public var isFailedStart: Bool {
        guard case .refused(let name, _) = self else { return false }
        return name.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
    }
}
