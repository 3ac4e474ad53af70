internal import SwitchyardReactor
internal import SwitchyardTLS

/// One connection on which HTTP/1 is spoken, from its first byte to its end.
///
/// It waits without a task. A whole request that the service answers at once needs no task either: it is read, parsed
/// and written in one go. Work that waits for the peer or the service runs in a task (`HTTP1Connection+Waiting.swift`).
/// The task ends with the answer, because a task never gives back the deepest stack that it had.
///
/// Why `@unchecked Sendable`: it lives on its loop's thread.
final class HTTP1Connection: ServerConnection, SocketObserver, @unchecked Sendable {
    let accepted: AcceptedConnection
    let worker: ServerWorker
    private var state = ConnectionState()
    /// Bytes that were read: `filled` of them, from the front. Empty while the connection is idle.
    var buffer: [UInt8] = []
    var filled = 0
    /// The bytes that the connection counts in ``UnfinishedBytes``.
    var unfinishedBytes = 0

    var stream: ByteStream { accepted.stream }
    var context: ConnectionContext { accepted.context }
    var limits: HTTPLimits { worker.limits }
    var socket: Socket { stream.socket }

    init(_ accepted: AcceptedConnection, _ worker: ServerWorker) {
        self.accepted = accepted
        self.worker = worker
    }

    func start() {
        // Over TLS, the first request may have come with the end of the handshake.
        guard stream.tls == nil else { return expectRequest() }
        socket.deadline = worker.loop.now + limits.firstByteTimeout
        waitForPeer()
    }

    /// Ends the connection after the request that is being answered; soon if it is idle.
    func stop() {
        switch state.stop() {
        case .letRun: break
        case .close: socket.interrupt()
        case .lastChance: socket.deadline = min(socket.deadline, worker.loop.now + worker.lastChance)
        }
    }

    func abandon() {
        _ = state.stop()
        socket.shutDown()
    }

    // MARK: Waiting

    /// Goes on when the peer has sent something.
    private func waitForPeer() {
        giveBufferBack()
        stream.whenReadable(self)
    }

    func socketIsReady(_ wake: Wake) {
        if wake == .ready { advance() } else { end(.finished) }
    }

    /// Processes the present bytes as far as possible.
    private func advance() {
        if filled > 0 || readSome() { serve() }
    }

    /// The handshake or an answer is behind us.
    func expectRequest() {
        switch state.phase {
        case .fresh(isStopping: true): socket.deadline = worker.loop.now + worker.lastChance
        case .fresh: socket.deadline = worker.loop.now + limits.firstByteTimeout
        default: socket.deadline = worker.loop.now + worker.idleTimeout
        }
        guard filled > 0 || stream.mayHaveInput else { return waitForPeer() }
        if case .fresh = state.phase { return advance() }
        // A client that sends requests without a pause must not keep the loop to itself.
        worker.loop.execute { [self] in if !socket.isClosed { advance() } else { end(.closed) } }
    }

    /// Reads into the buffer. Without new bytes, it watches for more or ends the connection, and returns false.
    private func readSome() -> Bool {
        // A local variable is cheaper to write to than a property, which needs exclusivity checks.
        var room = buffer.isEmpty ? worker.loop.buffers.take() : buffer
        buffer = []
        let result = stream.read(into: &room, at: 0)
        buffer = room
        switch result {
        case .bytes(let count):
            filled = count
            return true
        case .wouldBlock: waitForPeer()
        case .endOfStream, .failed: end(.finished)
        }
        return false
    }

    func giveBufferBack() {
        guard filled == 0, !buffer.isEmpty else { return }
        worker.loop.buffers.give(buffer)
        buffer = []
    }

    // MARK: Requests

    /// Reads the request that begins in the buffer, and answers it if that needs no waiting.
    private func serve() {
        state.requestBegan()
        var draft = worker.takeRequest(for: context)
        var parser = RequestHeadParser(limits: limits)
        let framing: RequestFraming
        do throws(HTTPError) {
            guard let read = try parser.parse(buffer, count: filled, into: &draft) else {
                return startTask(.head(parser, draft))
            }
            framing = read
        } catch {
            return startTask(.refusal(error))
        }
        // An immutable request is passed on without a copy.
        let request = consume draft
        consume(framing.headLength)
        guard framing.content == .none, case .success = accepted.admission,
            let response = worker.service.answerAtOnce(request),
            response.body.isInMemory
        else { return startTask(.content(request, framing)) }
        write(response, framing, isHead: request.method == .head)
        worker.giveBack(request)
    }

    private func write(_ response: Response, _ framing: RequestFraming, isHead: Bool) {
        let (keeps, isLast) = decide(response, framing)
        worker.count(response, on: context)
        var output = worker.takeOutput()
        worker.encoder.encode(
            response, at: worker.loop.now, keepsConnection: keeps, isHead: isHead, isChunked: true, into: &output)
        let written = isLast ? stream.writeLastNow(output) : stream.writeNow(output)
        worker.giveBack(output)
        switch written {
        case .all where keeps: answered()
        case .all: end(isLast ? .closed : .unreadInput)
        case .rest(let bytes, let isEncrypted):
            startTask(.rest(bytes, isSealed: isEncrypted, keeps: keeps, isLast: isLast))
        case .failed: end(.finished)
        }
    }

    /// Decides whether the connection stays open after an answer; if not, whether the peer has sent no further bytes.
    func decide(_ response: Response, _ framing: RequestFraming) -> (keeps: Bool, isLast: Bool) {
        var wantsEnd = framing.wantsClose || response.closesConnection
        // To a client of HTTP/1.0 the end of the connection is the end of a streamed body.
        if framing.minorVersion == 0, case .stream = response.body { wantsEnd = true }
        let keeps = state.answerBegins(wantsEnd: wantsEnd)
        return (keeps, !keeps && filled == 0)
    }

    /// An answer after which the connection stays has been written.
    func answered() {
        if state.answerEnded() { expectRequest() } else { end(.finished) }
    }

    /// Ends the count of unfinished bytes, because the request is whole.
    func requestIsWhole() {
        guard unfinishedBytes > 0 else { return }
        _ = worker.unfinished.change(from: unfinishedBytes, to: 0, of: accepted.network)
        unfinishedBytes = 0
    }

    /// Drops `count` bytes from the front; what remains belongs to the content or to the next request.
    func consume(_ count: Int) {
        if count < filled { buffer.replaceSubrange(0..<(filled - count), with: Array(buffer[count..<filled])) }
        filled -= count
    }

    // MARK: The end

    enum End {
        /// The socket is of no more use.
        case closed
        case finished
        /// The client must not take its part for a whole answer.
        case broken
        /// The peer may still be sending: closing now could take the last answer from it.
        case unreadInput
    }

    func end(_ end: End) {
        requestIsWhole()
        filled = 0
        giveBufferBack()
        switch end {
        case .closed: socket.shutDown()
        case .finished: stream.close()
        case .broken: socket.reset()
        case .unreadInput: return startTask(.lastBytes)
        }
        worker.forget(accepted)
    }
}

extension Response.Body {
    fileprivate var isInMemory: Bool {
        switch self {
        case .none, .bytes: true
        case .stream, .later: false
        }
    }
}
