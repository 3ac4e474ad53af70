internal import SwitchyardReactor
internal import SwitchyardTLS

/// One connection from accept to close: an async function on its loop that reads requests and writes answers. It has a
/// task for each stretch between two answers that come later: a task never gives back the deepest stack that it had.
///
/// Why `@unchecked Sendable`: it lives on its loop's thread.
final class HTTP1Connection: @unchecked Sendable {
    private let stream: ByteStream
    private let context: ConnectionContext
    private let worker: ServerWorker
    private var limits: HTTPLimits { worker.limits }
    /// nil: it is over a limit; it gets one 503 and ends.
    let admission: ConnectionLimiter.Admission?
    private var socket: Socket { stream.socket }

    /// Bytes that were read: `filled` of them, from the front. Empty while the connection is idle.
    private var buffer: [UInt8] = []
    private var filled = 0
    private var isIdle = false
    private var isDraining = false
    /// Whether a request has come yet.
    private var hasServed = false

    init(
        _ stream: ByteStream, _ context: ConnectionContext, _ worker: ServerWorker,
        _ admission: ConnectionLimiter.Admission?
    ) {
        self.stream = stream
        self.context = context
        self.worker = worker
        self.admission = admission
    }

    /// Ends the connection after the request that is being answered; at once if there is none. A connection that was
    /// just made is not turned away without a word: its first request, on its way perhaps, gets an answer.
    func drain() {
        isDraining = true
        guard isIdle else { return }
        if hasServed {
            socket.interrupt()
        } else {
            socket.deadline = min(socket.deadline, worker.loop.now + Self.lastChance)
        }
    }

    /// How long a stopping server waits for the first request of a connection.
    private static let lastChance = Duration.seconds(1)

    /// Ends the connection now, whatever it is doing.
    func abandon() {
        isDraining = true
        socket.shutDown()
    }

    func start() {
        worker.loop.start { [self] in
            guard await handshake() else {
                socket.shutDown()
                return worker.forget(self)
            }
            await run(nil)
        }
    }

    private func handshake() async -> Bool {
        guard case .tls(let tls) = stream else { return true }
        socket.deadline = worker.loop.now + limits.handshakeTimeout
        return await tls.handshake()
    }

    /// - Parameter answered: where to go on after an answer that came later; nil at the beginning.
    private func run(_ answered: Answered?) async {
        let end: End
        do {
            end = try await serve(answered)
        } catch {
            end = await refuse(error)
        }
        giveBufferBack()
        switch end {
        case .later(let request, let framing, let later): return wait(for: later, request, framing)
        case .closed: break
        case .broken: socket.reset()
        case .finished: stream.close()
        case .unreadInput:
            socket.deadline = worker.loop.now + .seconds(2)
            await stream.closeAfterDraining()
        }
        worker.forget(self)
    }

    private struct Answered {
        let request: Request
        let framing: RequestFraming
        let response: Response
    }

    private func wait(for later: any LaterResponse, _ request: Request, _ framing: RequestFraming) {
        later.whenReady { [self] in
            worker.loop.start { [self] in
                await run(
                    Answered(request: request, framing: framing, response: await later.respond(to: request)))
            }
        }
    }

    /// How the requests of a connection, or those that this task answers, came to their end.
    private enum End {
        /// The last answer closed it.
        case closed
        case finished
        /// The client must not take what it has for a whole answer.
        case broken
        /// The peer may still be sending: closing now could take the last answer from it.
        case unreadInput
        /// Another task goes on when the answer is there.
        case later(Request, RequestFraming, any LaterResponse)
    }

    /// Answers requests until the connection shall end, or an answer comes later.
    private func serve(_ answered: Answered?) async throws(HTTPError) -> End {
        var request = answered?.request ?? Request(connection: context)
        var framing = answered?.framing ?? .unread
        var answer = answered?.response
        var wait = limits.firstByteTimeout
        while true {
            if answer == nil {
                guard let read = try await readRequest(&request, firstByteWithin: wait) else { return .finished }
                framing = read
            }
            let response: Response
            if let answer {
                response = answer
            } else {
                response = admission == nil ? overloaded() : await worker.service.respond(to: request)
            }
            answer = nil
            if case .later(let later) = response.body { return .later(request, framing, later) }
            let keeps = !framing.wantsClose && !response.closesConnection && !isDraining
            let isLast = !keeps && filled == 0
            switch await write(response, to: request.method, framing, keepsConnection: keeps, isLast: isLast) {
            case .failed: return .finished
            case .incomplete: return .broken
            case .closed: return .closed
            case .written: if !keeps { return isLast ? .finished : .unreadInput }
            }
            wait = limits.idleTimeout
            // One that sends request after request without a pause shall not keep the loop to itself.
            if filled > 0 || stream.mayHaveInput { await Task.yield() }
        }
    }

    private func overloaded() -> Response {
        var response = worker.service.respond(to: HTTPError(.serviceUnavailable, .tooManyConnections), on: context)
        response.add("Retry-After", "5")
        response.closesConnection = true
        return response
    }

    private func refuse(_ error: HTTPError) async -> End {
        let response = worker.service.respond(to: error, on: context)
        let written = await write(response, to: .other, .unread, keepsConnection: false, isLast: false)
        return written == .written ? .unreadInput : .finished
    }

    // MARK: Reading

    /// Reads the next request, head and content. nil when the peer has no more, or took too long to begin.
    private func readRequest(
        _ request: inout Request, firstByteWithin wait: Duration
    ) async throws(HTTPError) -> RequestFraming? {
        var parser = RequestHeadParser(limits: limits)
        request.fields.lines.removeAll(keepingCapacity: true)
        request.body = []
        if filled == 0 {
            guard await waitForFirstByte(within: wait) else { return nil }
        }
        socket.deadline = worker.loop.now + limits.headerTimeout
        while true {
            if filled > 0, let framing = try parser.parse(buffer, count: filled, into: &request) {
                consume(framing.headLength)
                try await readContent(framing, into: &request)
                socket.deadline = .never
                // The answer may take a minute: an app that waits shall not hold a buffer meanwhile.
                giveBufferBack()
                return framing
            }
            switch await fill() {
            case .ready: continue
            case .expired: throw HTTPError(.requestTimeout, .timeout)
            case .interrupted: return nil
            }
        }
    }

    private func waitForFirstByte(within wait: Duration) async -> Bool {
        if isDraining, hasServed { return false }
        socket.deadline = worker.loop.now + (isDraining ? Self.lastChance : wait)
        isIdle = true
        defer { isIdle = false }
        while filled == 0 {
            if !stream.mayHaveInput {
                guard await stream.readable() == .ready else { return false }
            }
            guard await fill() == .ready else { return false }
        }
        hasServed = true
        return true
    }

    private func readContent(_ framing: RequestFraming, into request: inout Request) async throws(HTTPError) {
        switch framing.content {
        case .none: return
        case .length(let length):
            guard length <= limits.bodyBytes else { throw HTTPError(.contentTooLarge, .bodyTooLarge) }
            try await sayContinue(framing)
            socket.deadline = worker.loop.now + limits.bodyTimeout
            request.body.reserveCapacity(length)
            while true {
                let count = min(filled, length - request.body.count)
                request.body.append(contentsOf: buffer[..<count])
                consume(count)
                if request.body.count == length { return }
                try await fillContent()
            }
        case .chunked:
            try await sayContinue(framing)
            socket.deadline = worker.loop.now + limits.bodyTimeout
            var decoder = ChunkedDecoder(limits: limits)
            while true {
                consume(try decoder.decode(buffer[..<filled], into: &request.body))
                if decoder.isDone { return }
                try await fillContent()
            }
        }
    }

    /// RFC 9110 section 10.1.1: an interim answer for a client that waits for it before it sends its content.
    private func sayContinue(_ framing: RequestFraming) async throws(HTTPError) {
        guard framing.expectsContinue, filled == 0 else { return }
        guard await stream.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else {
            throw HTTPError(.requestTimeout, .timeout)
        }
    }

    private func fillContent() async throws(HTTPError) {
        guard await fill() == .ready else { throw HTTPError(.requestTimeout, .timeout) }
    }

    /// Reads more bytes behind those that are there. `interrupted` also stands for a peer that is gone.
    private func fill() async -> Wake {
        if buffer.isEmpty { buffer = worker.loop.buffers.take() }
        if filled == buffer.count { buffer.append(contentsOf: repeatElement(0, count: buffer.count)) }
        while true {
            switch stream.read(into: &buffer, at: filled) {
            case .bytes(let count):
                filled += count
                return .ready
            case .wouldBlock:
                let wake = await stream.readable()
                if wake != .ready { return wake }
            case .endOfStream, .failed: return .interrupted
            }
        }
    }

    /// Drops `count` bytes from the front; what remains belongs to the content or to the next request.
    private func consume(_ count: Int) {
        if count < filled { buffer.replaceSubrange(0..<(filled - count), with: Array(buffer[count..<filled])) }
        filled -= count
    }

    private func giveBufferBack() {
        guard filled == 0, !buffer.isEmpty else { return }
        worker.loop.buffers.give(buffer)
        buffer = []
    }

    // MARK: Writing

    private enum Written {
        case written
        /// The answer was written and the connection closed with it.
        case closed
        /// The peer is gone or does not read, or the end of the body is the end of the connection.
        case failed
        /// The service did not give all of the body.
        case incomplete
    }

    private func write(
        _ response: Response, to method: Request.Method, _ framing: RequestFraming, keepsConnection: Bool, isLast: Bool
    ) async -> Written {
        let isChunked = framing.minorVersion == 1
        var keeps = keepsConnection
        if case .stream = response.body, !isChunked { keeps = false }
        let bytes = ResponseEncoder.encode(
            response, date: worker.date.current(), keepsConnection: keeps, isHead: method == .head,
            isChunked: isChunked)
        guard case .stream(let produce) = response.body, method != .head else {
            socket.deadline = worker.loop.now + limits.writeTimeout
            if isLast {
                await stream.writeLast(bytes)
                return .closed
            }
            return await stream.write(bytes) ? .written : .failed
        }
        let writer = HTTP1BodyWriter(
            stream, head: bytes, isChunked ? .chunked : .untilClose, timeout: limits.writeTimeout, connection: context)
        do {
            try await produce(writer)
        } catch {
            return .incomplete
        }
        return await writer.finish() && keeps ? .written : .failed
    }
}
