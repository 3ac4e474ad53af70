/// Decides when each of the client's messages may leave. Requests go side by side. Messages behind `initialize` wait
/// for its answer. Messages behind a notification wait until the server has accepted it. Without I/O.
public struct MessageOrder: Sendable {
    /// A message with its number, by which ``finish(_:)`` names it.
    public struct Numbered: Sendable {
        public let number: Int
        public let message: MCPMessage
    }

    private var last = 0
    private var waiting: [Numbered] = []
    /// The message that all others wait for.
    private var barrier: Int?

    public init() {}

    /// Takes the client's next message.
    /// - Returns: the messages that may leave now.
    public mutating func take(_ message: MCPMessage) -> [Numbered] {
        last += 1
        waiting.append(Numbered(number: last, message: message))
        return release()
    }

    /// Takes the end of a message: it has its answer, or never will.
    /// - Returns: the messages that may leave now.
    public mutating func finish(_ number: Int) -> [Numbered] {
        guard barrier == number else { return [] }
        barrier = nil
        return release()
    }

    /// Removes a request that still waits here.
    /// - Returns: whether it did.
    public mutating func remove(_ id: MessageID) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.message.requestID == id }) else { return false }
        waiting.remove(at: index)
        return true
    }

    public func has(_ id: MessageID) -> Bool { waiting.contains { $0.message.requestID == id } }

    private mutating func release() -> [Numbered] {
        var released: [Numbered] = []
        while barrier == nil, !waiting.isEmpty {
            let next = waiting.removeFirst()
            released.append(next)
            if Self.isAwaited(next.message) { barrier = next.number }
        }
        return released
    }

    private static func isAwaited(_ message: MCPMessage) -> Bool {
        switch message.kind {
        case .request(_, "initialize"), .notification: true
        case .request, .response, .anonymousError: false
        }
    }
}
