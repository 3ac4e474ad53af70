internal import SwitchyardReactor
internal import SwitchyardTLS

/// The steps that wait for the peer or the service, and so need a task: one task at most per connection.
extension HTTP1Connection {
    /// The point at which the task takes over.
    enum Work: Sendable {
        /// The head has not come whole.
        case head(RequestHeadParser, Request)
        /// The head is there, the content and the answer are not.
        case content(Request, RequestFraming)
        case answer(Response, RequestFraming, isHead: Bool)
        case refusal(HTTPError)
        /// An answer that did not fit into the socket.
        case rest(ArraySlice<UInt8>, isSealed: Bool, keeps: Bool, isLast: Bool)
        /// The last answer is written; the peer's further bytes are skipped.
        case lastBytes
    }

    /// The next step after the task.
    private enum Next {
        case nextRequest
        case end(End)
        /// Another task continues when the answer is there. The request is dropped before.
        case later(any LaterResponse, RequestFraming, isHead: Bool)
    }

    func startTask(_ work: Work) {
        worker.loop.start { [self] in await perform(work) }
    }

    private func perform(_ work: Work) async {
        let next: Next
        do throws(HTTPError) {
            next = try await carryOut(work)
        } catch {
            // Something is wrong with a head, which is still in the buffer.
            let head = buffer[..<filled]
            var error = error
            error.path = Self.path(in: head)
            next = await refuse(error, of: nil, isHead: head.starts(with: "HEAD ".utf8))
        }
        switch next {
        case .nextRequest: answered()
        case .end(let end): self.end(end)
        case .later(let later, let framing, let isHead):
            giveBufferBack()
            later.whenReady { [self] in
                worker.loop.start { [self] in
                    await perform(.answer(await later.respond(), framing, isHead: isHead))
                }
            }
        }
    }

    /// The beginning of the path, enough to recognize our own pages.
    private static func path(in head: ArraySlice<UInt8>) -> [UInt8]? {
        let line = head.prefix { $0 != UInt8(ascii: "\n") }
        guard let blank = line.firstIndex(of: UInt8(ascii: " ")) else { return nil }
        let target = line[(blank + 1)...].prefix(64)
        guard target.first == UInt8(ascii: "/") else { return nil }
        return Array(target.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: " ") })
    }

    private func carryOut(_ work: Work) async throws(HTTPError) -> Next {
        switch work {
        case .head(var parser, var request):
            guard let framing = try await readHead(&parser, &request) else { return .end(.finished) }
            return try await answer(&request, framing)
        case .content(var request, let framing): return try await answer(&request, framing)
        case .answer(let response, let framing, let isHead): return await write(response, framing, isHead: isHead)
        case .refusal(let error): throw error
        case .rest(let bytes, let isSealed, let keeps, let isLast):
            socket.deadline = worker.loop.now + limits.writeTimeout
            let stream = isSealed ? ByteStream.plain(socket) : stream
            guard await stream.write(Array(bytes)) else { return .end(isSealed ? .closed : .finished) }
            return keeps ? .nextRequest : .end(isLast ? .closed : .unreadInput)
        case .lastBytes:
            socket.deadline = worker.loop.now + .seconds(2)
            await stream.closeAfterDraining()
            return .end(.closed)
        }
    }

    private func answer(_ request: inout Request, _ framing: RequestFraming) async throws(HTTPError) -> Next {
        let isHead = request.method == .head
        do throws(HTTPError) {
            try await readContent(framing, into: &request)
        } catch {
            return await refuse(error, of: request, isHead: isHead)
        }
        requestIsWhole()
        socket.deadline = .never
        // The answer may take a minute, and a waiting app should not hold a buffer.
        giveBufferBack()
        let response =
            switch accepted.admission {
            case .success: await worker.service.respond(to: request)
            case .failure(let reached): overloaded(request, reached)
            }
        return await write(response, framing, isHead: isHead)
    }

    private func overloaded(_ request: Request, _ reached: ConnectionLimiter.Refusal) -> Response {
        let reason: HTTPError.Reason =
            switch reached {
            case .total: .tooManyConnections
            case .perAddress: .tooManyConnectionsOfAddress
            case .perNetwork: .tooManyConnectionsOfNetwork
            }
        return refusal(HTTPError(.serviceUnavailable, reason), of: request)
    }

    private func refusal(_ error: HTTPError, of request: Request?) -> Response {
        var response = worker.service.respond(to: error, of: request, on: context)
        if let seconds = error.retryAfter { response.add("Retry-After", "\(seconds)") }
        response.closesConnection = true
        return response
    }

    /// - Parameter request: nil where its head could not be read.
    private func refuse(_ error: HTTPError, of request: Request?, isHead: Bool) async -> Next {
        requestIsWhole()
        let response = refusal(error, of: request)
        let (keeps, _) = decide(response, .unread)
        worker.count(response, on: context)
        var bytes: [UInt8] = []
        worker.encoder.encode(
            response, at: worker.loop.now, keepsConnection: keeps, isHead: isHead, isChunked: true, into: &bytes)
        socket.deadline = worker.loop.now + limits.writeTimeout
        // The start of the next request is unknown.
        return .end(await stream.write(bytes) ? .unreadInput : .finished)
    }

    // MARK: Reading

    /// nil when the peer has no more.
    private func readHead(
        _ parser: inout RequestHeadParser, _ request: inout Request
    ) async throws(HTTPError) -> RequestFraming? {
        socket.deadline = worker.loop.now + limits.headerTimeout
        while true {
            switch try await fill() {
            case .ready: break
            case .expired: throw HTTPError(.requestTimeout, .timeout)
            case .interrupted: return nil
            }
            guard let framing = try parser.parse(buffer, count: filled, into: &request) else { continue }
            consume(framing.headLength)
            return framing
        }
    }

    private func readContent(_ framing: RequestFraming, into request: inout Request) async throws(HTTPError) {
        switch framing.content {
        case .none: return
        case .length(let length):
            guard length <= limits.bodyBytes else { throw HTTPError(.contentTooLarge, .bodyTooLarge) }
            try await sayContinue(framing)
            socket.deadline = worker.loop.now + limits.bodyTimeout
            while true {
                let count = min(filled, length - request.body.count)
                request.body.makeRoom(for: count, upTo: length)
                request.body.append(contentsOf: buffer[..<count])
                consume(count)
                if request.body.count == length { return }
                try await fillContent(behind: request.body.capacity)
            }
        case .chunked:
            try await sayContinue(framing)
            socket.deadline = worker.loop.now + limits.bodyTimeout
            var decoder = ChunkedDecoder(limits: limits)
            while true {
                consume(try decoder.decode(buffer[..<filled], into: &request.body))
                if decoder.isDone { return }
                try await fillContent(behind: request.body.capacity + decoder.heldBytes)
            }
        }
    }

    /// RFC 9110 section 10.1.1: an interim answer for a client that waits for it before it sends its content.
    private func sayContinue(_ framing: RequestFraming) async throws(HTTPError) {
        guard framing.expectsContinue, filled == 0 else { return }
        socket.deadline = worker.loop.now + limits.writeTimeout
        guard await stream.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else {
            throw HTTPError(.requestTimeout, .timeout)
        }
    }

    /// - Parameter bytes: the memory of the content that has arrived.
    private func fillContent(behind bytes: Int) async throws(HTTPError) {
        guard try await fill(behind: bytes) == .ready else { throw HTTPError(.requestTimeout, .timeout) }
    }

    /// Reads more bytes behind the present ones. `interrupted` also means that the peer is gone.
    /// - Parameter bytes: the memory that the request takes beside the buffer.
    private func fill(behind bytes: Int = 0) async throws(HTTPError) -> Wake {
        while true {
            if buffer.isEmpty { buffer = worker.loop.buffers.take() }
            if filled == buffer.count { buffer.append(contentsOf: repeatElement(0, count: buffer.count)) }
            switch stream.read(into: &buffer, at: filled) {
            case .bytes(let count):
                filled += count
                return .ready
            case .wouldBlock:
                giveBufferBack()
                try countUnfinished(bytes + buffer.count)
                let wake = await stream.readable()
                if wake != .ready { return wake }
            case .endOfStream, .failed: return .interrupted
            }
        }
    }

    /// Counts the memory of a request while the rest of it is waited for.
    private func countUnfinished(_ bytes: Int) throws(HTTPError) {
        guard worker.unfinished.change(from: unfinishedBytes, to: bytes, of: accepted.network) else {
            throw HTTPError(.serviceUnavailable, .tooManyUnfinishedBytes)
        }
        unfinishedBytes = bytes
    }

    // MARK: Writing

    private func write(_ response: Response, _ framing: RequestFraming, isHead: Bool) async -> Next {
        if case .later(let later) = response.body { return .later(later, framing, isHead: isHead) }
        let isChunked = framing.minorVersion == 1
        let (keeps, isLast) = decide(response, framing)
        worker.count(response, on: context)
        var bytes: [UInt8] = []
        worker.encoder.encode(
            response, at: worker.loop.now, keepsConnection: keeps, isHead: isHead, isChunked: isChunked, into: &bytes)
        if case .stream(let produce) = response.body, !isHead {
            let writer = HTTP1BodyWriter(
                stream, head: bytes, isChunked ? .chunked : .untilClose, timeout: limits.writeTimeout,
                connection: context)
            do {
                try await produce(writer)
            } catch {
                return .end(.broken)
            }
            guard await writer.finish() else { return .end(.finished) }
            return keeps ? .nextRequest : .end(isLast ? .finished : .unreadInput)
        }
        socket.deadline = worker.loop.now + limits.writeTimeout
        if isLast {
            await stream.writeLast(bytes)
            return .end(.closed)
        }
        guard await stream.write(bytes) else { return .end(.finished) }
        return keeps ? .nextRequest : .end(.unreadInput)
    }
}

extension [UInt8] {
    /// Reserves room for `count` more elements: at most twice the present size, and never more than `maximum`. So
    /// memory follows the bytes that have arrived, not the announced ones.
    fileprivate mutating func makeRoom(for count: Int, upTo maximum: Int) {
        guard self.count + count > capacity else { return }
        reserveCapacity(Swift.min(maximum, 2 * (self.count + count)))
    }
}
