internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardMCP
internal import SwitchyardReactor
internal import SwitchyardText

extension MCPBridge {
    /// The longest time without a byte. Tools may work for long, and the client knows when it has waited enough.
    private static let silence = Duration.seconds(86_400)
    /// The time of a message of ours, which calls of the client wait for.
    private static let ownTime = Duration.seconds(20)

    /// Sends a message until it has its answer, or none will come.
    func carry(_ exchange: MCPExchange) async {
        var hasRenewed = false
        while true {
            if !exchange.isModern, let renewal { _ = await renewal.value }
            await letEarlierGo(exchange)
            guard !exchange.isCancelled else { return }
            await access.renewIfNeeded()
            let generation = session.generation
            switch await post(exchange) {
            case .done, .stopped: return
            case .accessRefused(let refusal, let response):
                if !exchange.isRequest { letLaterGo(exchange) }
                guard await regainAccess(exchange, refusal, response) else { return }
            case .sessionGone:
                guard !hasRenewed, await renewSession(generation) else {
                    fail(exchange, .internalError, "the server has ended the session, and begins no other one")
                    return
                }
                hasRenewed = true
            case .headerMismatch:
                await listTools(for: exchange)
            case .failed(let words):
                fail(exchange, .internalError, words)
                return
            }
            if isClosing { return }
        }
    }

    /// A sign-in may take minutes. Later messages pass a notification that waits for one, and meet the same refusal.
    private func letLaterGo(_ exchange: MCPExchange) {
        if !exchange.isOwn, !late.contains(where: { $0 === exchange }) { late.append(exchange) }
        exchange.whenAnswered?()
    }

    /// Lets notifications that came before go first, once there is a token for them: a server may refuse calls that it gets before
    /// `notifications/initialized`.
    private func letEarlierGo(_ exchange: MCPExchange) async {
        let deadline = Instant.now() + Self.notificationTime
        func next() -> MCPExchange? {
            late.first { $0.number < exchange.number && !$0.waitsForToken && $0.isSettled.current == nil }
        }
        while let earlier = next(), await earlier.isSettled.value(until: deadline) != nil {}
    }

    // MARK: One POST

    private func post(_ exchange: MCPExchange) async -> CallEnd {
        guard let fields = session.fields(for: exchange.message) else {
            return .failed("the message names a revision that no header field can carry")
        }
        let usesSession = !exchange.isModern && session.id != nil && exchange.message.method != "initialize"
        exchange.tokenNumber = access.number
        let request = remote.request(.post, fields + (await access.fields(.post)), body: exchange.message.bytes)
        var reader = AnswerReader()
        var head: IncomingResponse?
        let response: IncomingResponse
        do throws(TransferError) {
            response = try await client.stream(
                request, silence: Self.silence, until: exchange.stop,
                mustWait: { [output] in output.isFull },
                whenBegun: { [self] in
                    access.note(nonce: $0.header("DPoP-Nonce"))
                    head = $0
                    reader.begin($0)
                    // The server has it, however long its answer goes on.
                    if !exchange.isRequest, (200..<300).contains($0.status) { settle(exchange) }
                },
                { [self] piece in take(piece, &reader, for: exchange, head) })
        } catch {
            if exchange.isAnswered { return .done }
            if exchange.stop.current != nil { return .stopped }
            if reader.isStream { return await resume(exchange, reader) }
            return .failed("\(error)")
        }
        return await judge(response, reader, exchange, usesSession: usesSession)
    }

    private func settle(_ exchange: MCPExchange) {
        exchange.isSettled.fulfil(())
        exchange.whenAnswered?()
    }

    /// - Returns: false for an answer that is too large.
    private func take(
        _ piece: [UInt8], _ reader: inout AnswerReader, for exchange: MCPExchange?, _ head: IncomingResponse?
    ) -> Bool {
        guard let messages = reader.take(piece) else { return false }
        for message in messages { pass(message, to: exchange, head) }
        return true
    }

    /// Gives a message to the client. The session that `initialize` begins is known before the client learns of it.
    private func pass(_ bytes: [UInt8], to exchange: MCPExchange?, _ head: IncomingResponse?) {
        if let exchange, exchange.message.method == "initialize", !exchange.isModern, !exchange.isAnswered,
            let message = try? MCPMessage(answer: bytes), case .response(let id) = message.kind,
            id == exchange.message.requestID
        {
            guard session.begin(id: head?.header("Mcp-Session-Id"), message.json["result"]?.object) else {
                return fail(
                    exchange, .internalError, "the server's session id has characters that no header field takes")
            }
        }
        deliver(bytes, to: exchange)
    }

    private func judge(
        _ response: IncomingResponse, _ reader: AnswerReader, _ exchange: MCPExchange, usesSession: Bool
    ) async -> CallEnd {
        if exchange.isAnswered { return .done }
        switch response.status {
        case 200 where reader.isStream:
            return exchange.isRequest ? await resume(exchange, reader) : accepted(exchange)
        case 200..<300: return whole(reader, response, exchange)
        case 300..<400:
            let place = response.header("Location")?.quotable ?? "elsewhere"
            return .failed("the server sends the call to \(place), and no redirect is followed: name that address")
        case 401: return .accessRefused(.noAccess, response)
        case 403 where !remote.hasOwnCredentials && response.asksForMoreScope:
            return .accessRefused(.tooFewScopes, response)
        case 404 where usesSession: return .sessionGone
        default: break
        }
        return refused(response, exchange)
    }

    /// A whole answer, in one piece.
    private func whole(
        _ reader: AnswerReader, _ head: IncomingResponse, _ exchange: MCPExchange
    ) -> CallEnd {
        guard exchange.isRequest else { return accepted(exchange) }
        if reader.body.isEmpty {
            return .failed("the server accepted the call (status \(head.status)) without an answer")
        }
        guard case .json = reader.form else {
            guard case .other(let type) = reader.form else { return .done }
            return .failed("the answer is \"\(type.quotable)\", so this is no MCP server: check the address")
        }
        pass(reader.body, to: exchange, head)
        return exchange.isAnswered ? .done : .failed("the server's answer is not the answer to this call")
    }

    /// An error status. Its content may be a JSON-RPC error.
    func refused(_ response: IncomingResponse, _ exchange: MCPExchange) -> CallEnd {
        let message = try? MCPMessage(answer: response.body)
        if let error = message?.json["error"]?.object {
            if error["code"]?.integer == -32020, exchange.isModern, exchange.message.method == "tools/call",
                !exchange.hasListedTools
            {
                return .headerMismatch
            }
            if let id = exchange.message.requestID {
                let line = message?.kind == .response(id) ? response.body : ErrorLine.make(id, error)
                deliver(line, to: exchange)
                if exchange.isAnswered { return .done }
            }
        }
        let text = String(decoding: response.body.prefix(400), as: UTF8.self).quotable
        let after = response.retryAfter(now: WallTime.now().seconds).map { "; it asks to wait for \($0) s" } ?? ""
        return .failed("the server answered with status \(response.status)\(after)\(text.isEmpty ? "" : ": \(text)")")
    }

    /// A notification or a response has arrived.
    private func accepted(_ exchange: MCPExchange) -> CallEnd {
        if exchange.message.kind == .notification(method: "notifications/initialized"), !exchange.isOwn { listen() }
        return .done
    }

    // MARK: Streams

    /// Continues the stream of a request that broke off before the answer.
    private func resume(_ exchange: MCPExchange, _ broken: AnswerReader) async -> CallEnd {
        guard !exchange.isModern, var cursor = broken.lastEventID else {
            return .failed("the connection ended before the answer, and the server continues no streams")
        }
        var pause = StreamPause(broken.retry)
        while !isClosing {
            guard await waits(pause.next, or: exchange.stop) else { return .stopped }
            let follow = await follow(from: cursor, until: exchange.stop, for: exchange)
            if exchange.isAnswered { return .done }
            if exchange.stop.current != nil { return .stopped }
            guard case .stream(let reader) = follow else {
                guard case .unreachable = follow, !pause.isExhausted else {
                    return .failed("the connection ended before the answer, and the server did not continue it")
                }
                pause.failed()
                continue
            }
            if reader.lastEventID == nil, pause.isExhausted {
                return .failed("the server ends the stream again and again without the answer")
            }
            cursor = reader.lastEventID ?? cursor
            reader.lastEventID == nil ? pause.failed() : pause.succeeded(reader.retry)
        }
        return .stopped
    }

    private enum Followed {
        case stream(AnswerReader)
        /// Another answer, by its status.
        case refused(Int)
        case unreachable
    }

    /// One GET for a stream.
    private func follow(
        from cursor: String?, until stop: Promise<Void>, for exchange: MCPExchange?
    ) async -> Followed {
        let fields =
            [("Accept", "text/event-stream")] + session.fields + (cursor.map { [("Last-Event-ID", $0)] } ?? [])
        await access.renewIfNeeded()
        var hasFreshNonce = false
        while true {
            let request = remote.request(.get, fields + (await access.fields(.get)))
            var reader = AnswerReader()
            do throws(TransferError) {
                let response = try await client.stream(
                    request, silence: Self.silence, until: stop, mustWait: { [output] in output.isFull },
                    whenBegun: { [access] in
                        access.note(nonce: $0.header("DPoP-Nonce"))
                        reader.begin($0)
                    },
                    { [self] piece in reader.isStream && take(piece, &reader, for: exchange, nil) })
                if response.status == 200, reader.isStream { return .stream(reader) }
                guard response.status == 401, response.wantsNonce, !hasFreshNonce else {
                    return .refused(response.status)
                }
                hasFreshNonce = true
            } catch {
                // The connection may break in the middle of a stream.
                return reader.isStream ? .stream(reader) : .unreachable
            }
        }
    }

    /// Opens the stream of messages that the server sends by itself, if it has one (2025-11-25, "Listening for Messages").
    func listen() {
        listening?.fulfil(())
        let stop = Promise<Void>()
        listening = stop
        let generation = session.generation
        loop.start { [self] in
            var cursor: String?
            var pause = StreamPause(nil)
            while stop.current == nil, session.generation == generation, !isClosing {
                let token = access.number
                switch await follow(from: cursor, until: stop, for: nil) {
                case .stream(let reader):
                    cursor = reader.lastEventID ?? cursor
                    reader.hasEvents ? pause.succeeded(reader.retry) : pause.failed()
                case .unreachable: pause.failed()
                case .refused(401):
                    // The next call gets a token, which serves here too.
                    await access.newToken(after: token, until: stop)
                    continue
                case .refused(let status):
                    guard status >= 500 || status == 429 else { return }
                    pause.failed()
                }
                guard await waits(pause.next, or: stop) else { return }
            }
        }
    }

    /// - Returns: false when `stop` came first.
    private func waits(_ time: Duration, or stop: Promise<Void>) async -> Bool {
        await stop.value(until: .now() + time) == nil
    }

    // MARK: Calls of our own

    /// Begins the session again with the client's own messages.
    /// - Parameter generation: the session that the server no longer knows.
    private func renewSession(_ generation: Int) async -> Bool {
        if let renewal { return await renewal.value }
        guard session.generation == generation else { return true }
        guard let initialize = session.initialize else { return false }
        let promise = Promise<Bool>()
        renewal = promise
        listening?.fulfil(())
        let isBegun = await sendOwn(initialize)?.json["result"] != nil
        if isBegun, let initialized = session.initialized {
            _ = await sendOwn(initialized)
            listen()
        }
        renewal = nil
        promise.fulfil(isBegun)
        return isBegun
    }

    /// Asks for the tools again, because a call lacks header fields that a schema asks for.
    private func listTools(for exchange: MCPExchange) async {
        exchange.hasListedTools = true
        var cursor: JSONValue?
        for page in 1...Self.mostPages {
            var params: JSONObject = [:]
            params["cursor"] = cursor
            params["_meta"] = exchange.message.params?["_meta"]
            let request: JSONObject = [
                "jsonrpc": "2.0", "id": .string("switchyard-tools-\(page)"), "method": "tools/list",
                "params": .object(params),
            ]
            guard let message = try? MCPMessage(request), let answer = await sendOwn(message, until: exchange.stop)
            else {
                return
            }
            cursor = answer.json["result"]?.object?["nextCursor"]
            guard cursor?.string != nil else { return }
        }
    }

    private static let mostPages = 100

    /// - Parameter stop: ends it in the middle, once it is fulfilled.
    /// - Returns: the response; nil without one.
    private func sendOwn(_ message: MCPMessage, until stop: Promise<Void>? = nil) async -> MCPMessage? {
        let exchange = MCPExchange(message, isOwn: true)
        let timer = loop.schedule(at: .now() + Self.ownTime) { exchange.stop.fulfil(()) }
        defer { timer.cancel() }
        stop?.whenFulfilled { exchange.stop.fulfil(()) }
        guard case .done = await post(exchange) else { return nil }
        return exchange.response
    }
}

/// How long to wait before a stream is asked for again. Without I/O.
private struct StreamPause {
    private(set) var next: Duration
    private var failures = 0

    private static let longest = Duration.seconds(30)

    /// - Parameter retry: the server's wish, in milliseconds.
    init(_ retry: Int?) { next = Self.wish(retry) }

    var isExhausted: Bool { failures >= 5 }

    mutating func succeeded(_ retry: Int?) {
        failures = 0
        next = Self.wish(retry)
    }

    mutating func failed() {
        failures += 1
        next = min(max(next, .milliseconds(500)) * 2, Self.longest)
    }

    private static func wish(_ retry: Int?) -> Duration {
        .milliseconds(min(max(retry ?? 1000, 50), 300_000))
    }
}
