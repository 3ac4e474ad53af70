/// Server-sent events as they come (HTML Living Standard section 9.2.6), cut anywhere. Without I/O. Identifiers and the
/// retry time are ignored: a client that follows a gateway's stream knows what to do when it ends.
public struct EventStreamParser: Sendable {
    public struct Event: Equatable, Sendable {
        /// The event's name; `message` by default.
        public let name: String
        public let data: String
    }

    /// The limit for a line, and for an event. A gateway's stream stays below it.
    public static let maximumBytes = 4 << 20

    private var line: [UInt8] = []
    private var name = ""
    private var data: [UInt8] = []
    private var hasData = false
    private var endedByReturn = false
    /// Whether the limit was exceeded; then no more events follow.
    public private(set) var isOverfull = false

    public init() {}

    /// Takes the next bytes.
    /// - Returns: the events that end with them.
    public mutating func take(_ bytes: [UInt8]) -> [Event] {
        var events: [Event] = []
        for byte in bytes where !isOverfull {
            defer { endedByReturn = byte == UInt8(ascii: "\r") }
            switch byte {
            case UInt8(ascii: "\n") where endedByReturn: continue
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                if let event = endLine() { events.append(event) }
            default:
                line.append(byte)
                isOverfull = line.count + data.count > Self.maximumBytes
            }
        }
        return events
    }

    private mutating func endLine() -> Event? {
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else { return endEvent() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": name = String(decoding: value, as: UTF8.self)
        case "data":
            if hasData { data.append(UInt8(ascii: "\n")) }
            data.append(contentsOf: value)
            hasData = true
        default: break
        }
        return nil
    }

    private mutating func endEvent() -> Event? {
        defer {
            name = ""
            data = []
            hasData = false
        }
        guard hasData else { return nil }
        return Event(name: name.isEmpty ? "message" : name, data: String(decoding: data, as: UTF8.self))
    }
}
