internal import SwitchyardPendingRequests
internal import Synchronization

/// Hears what other gateways have changed. Safe from any thread.
final class ChangeListener: Sendable {
    private struct Listening {
        let tell: @Sendable (RequestID) -> Void
        let missed: @Sendable () -> Void
    }

    private let sender: [UInt8]
    private let listening = Mutex<Listening?>(nil)

    /// - Parameter sender: what this gateway's own messages begin with: who waits here was told already.
    init(sender: String) {
        self.sender = Array(sender.utf8)
    }

    func follow(_ tell: @escaping @Sendable (RequestID) -> Void, _ missed: @escaping @Sendable () -> Void) {
        listening.withLock { $0 = Listening(tell: tell, missed: missed) }
    }

    func hear(_ message: [UInt8]) {
        guard !message.starts(with: sender),
            let id = RequestID(String(decoding: message.dropFirst(sender.count), as: UTF8.self))
        else { return }
        listening.withLock(\.self)?.tell(id)
    }

    /// The connection was made again: nobody knows what was said meanwhile.
    func mayHaveMissed() { listening.withLock(\.self)?.missed() }
}
