internal import SwitchyardPendingRequests
internal import Synchronization

/// Receives the messages of other gateways: changed requests, and wrong proofs of releases. Safe from any thread.
final class ChangeListener: Sendable {
    private struct Listening {
        let tell: @Sendable (RequestID) -> Void
        let missed: @Sendable () -> Void
    }

    private let sender: [UInt8]
    private let known: KnownRecords
    private let listening = Mutex<Listening?>(nil)
    private let wrongProofs = Mutex<WrongProofListening?>(nil)

    private struct WrongProofListening {
        let tell: @Sendable (WrongProofNews) -> Void
        /// Reads the wrong proofs of the last hour.
        let reload: @Sendable () -> Void
    }

    /// - Parameter sender: the prefix of this gateway's own messages, which are skipped: the tasks that wait here were
    ///   told already.
    init(sender: String, _ known: KnownRecords) {
        self.sender = Array(sender.utf8)
        self.known = known
    }

    func follow(_ tell: @escaping @Sendable (RequestID) -> Void, _ missed: @escaping @Sendable () -> Void) {
        listening.withLock { $0 = Listening(tell: tell, missed: missed) }
    }

    func followWrongProofs(
        _ tell: @escaping @Sendable (WrongProofNews) -> Void, reload: @escaping @Sendable () -> Void
    ) {
        wrongProofs.withLock { $0 = WrongProofListening(tell: tell, reload: reload) }
    }

    func hear(_ message: [UInt8]) {
        guard !message.starts(with: sender) else { return }
        let text = message.dropFirst(sender.count)
        if let id = RequestID(String(decoding: text, as: UTF8.self)) {
            known.forget(id)
            listening.withLock(\.self)?.tell(id)
        } else if let news = WrongProofNews(message: text) {
            wrongProofs.withLock(\.self)?.tell(news)
        }
    }

    /// Reports a new connection: messages may have been lost meanwhile.
    func mayHaveMissed() {
        known.forgetAll()
        listening.withLock(\.self)?.missed()
        wrongProofs.withLock(\.self)?.reload()
    }
}
