import SwitchyardJSON
import SwitchyardMCP
import SwitchyardText

/// Messages of the Model Context Protocol: lines of a client, and a server's events.
enum MCPMessagesTarget {
    private static let maximumLine = 4096

    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        try checkLines(bytes)
        try checkEvents(bytes)
        if let message = try? MCPMessage(answer: bytes) { try check(message) }
    }

    // MARK: The client's lines

    private static func checkLines(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let lines = split(bytes, pieces: bytes.count)
        for size in [1, 7] {
            try require(split(bytes, pieces: size) == lines, "lines do not depend on how bytes come")
        }
        var session = MCPSession()
        var order = MessageOrder()
        var (taken, left): (Int, [Int]) = (0, [])
        var released: Set<Int> = []
        func leave(_ messages: [MessageOrder.Numbered]) throws(BrokenInvariant) {
            for numbered in messages {
                try require(released.insert(numbered.number).inserted, "a message leaves once")
                left.append(numbered.number)
                let fields = session.fields(for: numbered.message)
                try require(
                    fields != nil || numbered.message.ownRevision != nil, "only a revision of its own bars a message")
                try check(fields ?? [])
            }
        }
        for line in lines {
            guard case .line(let content) = line else { continue }
            try require(content.count <= maximumLine && !content.contains(UInt8(ascii: "\n")), "a line is one line")
            let message: MCPMessage
            do throws(MessageError) {
                message = try MCPMessage(line: content)
            } catch {
                try check(error)
                continue
            }
            try check(message)
            session.note(message)
            // The server's answers are in the same input, so that one file can hold a whole session.
            if case .response = message.kind, let result = message.json["result"]?.object {
                let isTaken = session.begin(id: result["session"]?.string, result)
                try require(isTaken || result["session"]?.string != nil, "an answer without an id begins a session")
                let listed = session.tools.take(result)
                let count = result["tools"]?.array?.count ?? 0
                try require(listed.leftOut.count <= count, "no tool is left out that was not listed")
                let kept = listed.kept?["tools"]?.array?.count
                try require(
                    kept.map { $0 + listed.leftOut.count == count } ?? listed.leftOut.isEmpty,
                    "each tool is kept or left out")
            }
            taken += 1
            try leave(order.take(message))
        }
        // Each answer lets the next ones go.
        var next = 0
        while next < left.count {
            try leave(order.finish(left[next]))
            next += 1
        }
        try require(left == Array(1...max(taken, 1)).prefix(taken).map(\.self), "all messages leave, in their order")
    }

    private static func split(_ bytes: [UInt8], pieces: Int) -> [LineSplitter.Line] {
        var splitter = LineSplitter(maximum: maximumLine)
        var lines: [LineSplitter.Line] = []
        for start in stride(from: 0, to: bytes.count, by: max(pieces, 1)) {
            lines += splitter.take(bytes[start..<min(bytes.count, start + max(pieces, 1))])
        }
        return lines + splitter.finish()
    }

    // MARK: Messages

    private static func check(_ message: MCPMessage) throws(BrokenInvariant) {
        try require(!message.bytes.contains(UInt8(ascii: "\n")), "a message is one line")
        let again: MCPMessage
        do throws(MessageError) {
            again = try MCPMessage(message.json)
        } catch {
            throw BrokenInvariant(description: "broken: a message that is written back is one")
        }
        try require(
            again.kind == message.kind && again.json == message.json, "a message that is written back is the same")
        try require((message.requestID == nil) || message.method != nil, "a request has a method")
        try require(message.cancelled == nil || message.requestID == nil, "what cancels is a notification")
        if let id = message.requestID {
            let error = ErrorLine.make(id, .internalError, "x")
            guard let answer = try? MCPMessage(answer: error) else {
                throw BrokenInvariant(description: "broken: our error is a message")
            }
            try require(answer.kind == .response(id), "our error answers its request")
        }
    }

    private static func check(_ fault: MessageError) throws(BrokenInvariant) {
        guard let line = try? MCPMessage(answer: fault.line) else {
            throw BrokenInvariant(description: "broken: the line about a fault is a message")
        }
        let isError = line.json["error"]?.object?["code"] == (fault.isNoJSON ? -32700 : -32600)
        try require(isError && !fault.line.contains(UInt8(ascii: "\n")), "a fault is told with its code, in one line")
    }

    private static func check(_ fields: [(String, String)]) throws(BrokenInvariant) {
        for (name, value) in fields {
            let isSafe = value.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !value.isEmpty
            try require(isSafe && value.utf8.first != 0x20 && value.utf8.last != 0x20, "a field's value is visible")
            try require(
                !name.isEmpty && !name.utf8.contains { isInvisible($0) || $0 == UInt8(ascii: ":") },
                "a field has a name")
        }
    }

    // MARK: The server's events

    private static func checkEvents(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let (events, whole) = events(bytes, pieces: max(bytes.count, 1))
        let (others, cut) = self.events(bytes, pieces: 1)
        try require(events == others, "events do not depend on how bytes come")
        try require(whole.lastEventID == cut.lastEventID && whole.retry == cut.retry, "nor does where to go on")
        let isSendable = whole.lastEventID?.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } ?? true
        try require(isSendable, "the id of an event can be sent back")
        try require(
            events.reduce(0) { $0 + $1.data.utf8.count } <= bytes.count * 3, "reading makes nothing much longer")
        for event in events {
            if let message = try? MCPMessage(answer: Array(event.data.utf8)) { try check(message) }
        }
    }

    private static func events(_ bytes: [UInt8], pieces: Int) -> ([EventStreamParser.Event], EventStreamParser) {
        var parser = EventStreamParser(maximumBytes: maximumLine)
        var events: [EventStreamParser.Event] = []
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            events += parser.take(Array(bytes[start..<min(bytes.count, start + pieces)]))
        }
        return (events, parser)
    }
}

extension MessageError {
    fileprivate var isNoJSON: Bool { if case .noJSON = self { true } else { false } }
}
