/// Server-sent events as they come (HTML Living Standard section 9.2.6), cut anywhere. Without I/O.
public struct EventStreamParser: Sendable {
    public struct Event: Equatable, Sendable {
        /// The event's name; `message` by default.
        public let name: String
        public let data: String

        public init(name: String, data: String) {
            self.name = name
            self.data = data
        }
    }

    /// The limit for a line, and for an event. A gateway's stream stays below it.
    public static let maximumBytes = 4 << 20

    private let maximumBytes: Int
    private var line: [UInt8] = []
    private var name = ""
    private var data: [UInt8] = []
    private var hasData = false
    private var id: String?
    private var endedByReturn = false
    /// Whether the limit was exceeded; then no more events follow.
    public private(set) var isOverfull = false
    /// The id of the last event that was whole, with which another request can continue the stream; nil without one.
    public private(set) var lastEventID: String?
    /// The pause before another request that continues the stream, in milliseconds, as far as the server said so.
    public private(set) var retry: Int?

    public init(maximumBytes: Int = EventStreamParser.maximumBytes) { self.maximumBytes = maximumBytes }

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
                isOverfull = line.count + data.count > maximumBytes
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
        case "id": takeID(value)
        case "retry":
            let text = String(decoding: value, as: UTF8.self)
            if !text.isEmpty, text.allBytes(ASCII.isDigit), let number = Int(text) { retry = number }
        default: break
        }
        return nil
    }

    /// An id goes back in a header field, which holds no control characters.
    private mutating func takeID(_ value: ArraySlice<UInt8>) {
        guard value.count <= 4096, value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return }
        id = String(decoding: value, as: UTF8.self)
    }

    private mutating func endEvent() -> Event? {
        defer {
            name = ""
            data = []
            hasData = false
        }
        lastEventID = id.flatMap { $0.isEmpty ? nil : $0 }
        guard hasData else { return nil }
        return Event(name: name.isEmpty ? "message" : name, data: String(decoding: data, as: UTF8.self))
    }
}
