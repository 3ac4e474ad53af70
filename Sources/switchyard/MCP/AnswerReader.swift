internal import SwitchyardHTTPClient
internal import SwitchyardText

/// Takes the answer to a POST or GET as it comes: one JSON text, or a stream of events.
struct AnswerReader {
    enum Form {
        case json, stream
        case other(String)
    }

    private(set) var form = Form.other("")
    /// The content, unless it is a stream.
    private(set) var body: [UInt8] = []
    private(set) var hasEvents = false
    private var parser = EventStreamParser(maximumBytes: RemoteServer.maximumAnswer)

    mutating func begin(_ head: IncomingResponse) {
        let type = head.header("Content-Type") ?? ""
        let name = type.split(separator: ";").first.map { $0.trimmingSpaces().asciiLowercased } ?? ""
        form =
            switch name {
            case "application/json": .json
            case "text/event-stream": .stream
            default: .other(name)
            }
    }

    /// - Returns: the messages that are whole now; nil for an answer that is too large.
    mutating func take(_ piece: [UInt8]) -> [[UInt8]]? {
        guard case .stream = form else {
            guard body.count + piece.count <= RemoteServer.maximumAnswer else { return nil }
            body += piece
            return []
        }
        let events = parser.take(piece)
        hasEvents = hasEvents || !events.isEmpty
        // An event without data only carries its id.
        let messages = events.filter { $0.name == "message" && !$0.data.isEmpty }.map { Array($0.data.utf8) }
        return parser.isOverfull ? nil : messages
    }

    var isStream: Bool {
        if case .stream = form { true } else { false }
    }

    var lastEventID: String? { parser.lastEventID }
    var retry: Int? { parser.retry }
}
