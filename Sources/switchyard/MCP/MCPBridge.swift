internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardMCP
internal import SwitchyardReactor

/// Passes messages between an MCP client on standard input and output and a server behind HTTP.
///
/// Why `@unchecked Sendable`: everything here happens on the thread of its loop.
final class MCPBridge: @unchecked Sendable {
    let remote: RemoteServer
    let loop: EventLoop
    let client: HTTPClient
    let output: LineOutput
    let notes: MCPNotes
    let access: MCPAccess
    var session = MCPSession()
    private var order = MessageOrder()
    private var exchanges: [ObjectIdentifier: MCPExchange] = [:]
    /// Notifications that the server has refused for their token. Later messages have passed them, and wait once there is a token.
    var late: [MCPExchange] = []
    /// A session that begins again; the client's messages wait for it.
    var renewal: Promise<Bool>?
    /// Fulfilled to close the stream of messages that the server sends by itself.
    var listening: Promise<Void>?
    private(set) var isClosing = false
    private var isFinishing = false
    private let idle = Promise<Void>()
    /// Fulfilled at the end of the client's input.
    let inputIsOver = Promise<Void>()
    /// The sign-ins that the client was asked to show.
    private var elicitations: [SignInElicitation] = []

    private enum End {
        case input, signal, lostReader
    }

    /// How long calls under way may take after the end of the input.
    private static let patience = Duration.seconds(10)
    private static let farewell = Duration.seconds(2)
    /// How long a notification holds later messages at a server that does not answer it.
    static let notificationTime = Duration.seconds(10)

    init(to remote: RemoteServer, _ plan: TokenPlan, on loop: EventLoop) throws {
        self.remote = remote
        self.loop = loop
        let client = HTTPClient(loop: loop)
        self.client = client
        output = try LineOutput { loop.execute { client.goOn() } }
        notes = try MCPNotes()
        access = MCPAccess(plan, with: client, on: loop, notes)
    }

    /// Only from a task of the loop.
    func run(until signals: SignalSource) async throws -> ExitStatus {
        let end = Promise<End>()
        let secondEnd = Promise<Void>()
        try signals.start(on: loop) { _ in
            end.fulfil(.signal)
            secondEnd.fulfil(())
        }
        output.isLost.whenFulfilled {
            end.fulfil(.lostReader)
            secondEnd.fulfil(())
        }
        access.whenShown = { [self] in elicit($0.elicitation) }
        access.whenOver = { [self] in complete($0.elicitation) }
        try ClientInput.start(on: loop, take: { [self] in take($0) }, end: { end.fulfil(.input) })
        let reason = await end.value
        if reason == .input { await finishCalls(or: secondEnd) }
        await close()
        return reason == .lostReader ? .failed : .done
    }

    // MARK: From the client

    private func take(_ line: LineSplitter.Line) {
        guard case .line(let bytes) = line else {
            return output.write(
                MessageError.noMessage(nil, "it has more than \(RemoteServer.maximumMessage) bytes").line)
        }
        do throws(MessageError) {
            take(try MCPMessage(line: bytes))
        } catch {
            output.write(error.line)
        }
    }

    private func take(_ message: MCPMessage) {
        if let id = message.requestID, order.has(id) || exchange(id) != nil {
            return output.write(MessageError.noMessage(nil, "another request with this id has no answer yet").line)
        }
        if let id = message.cancelled, !cancel(id) { return }
        if elicitations.contains(where: { $0.isAnswered(by: message) }) { return }
        session.note(message)
        start(order.take(message))
    }

    /// - Returns: whether the server must be told.
    private func cancel(_ id: MessageID) -> Bool {
        if order.remove(id) { return false }
        guard let exchange = exchange(id) else { return session.hasStreams }
        exchange.cancel()
        // From 2026-07-28 on the closed stream tells the server. It knows nothing of a call that it has refused.
        return !exchange.isModern && !exchange.waitsForToken
    }

    private func start(_ messages: [MessageOrder.Numbered]) {
        for numbered in messages {
            let exchange = MCPExchange(numbered.message, number: numbered.number)
            exchanges[ObjectIdentifier(exchange)] = exchange
            exchange.whenAnswered = { [self] in start(order.finish(numbered.number)) }
            if !exchange.isRequest {
                exchange.timer = loop.schedule(at: .now() + Self.notificationTime) { exchange.whenAnswered?() }
            }
            loop.start { [self] in
                await carry(exchange)
                exchange.timer?.cancel()
                exchange.isSettled.fulfil(())
                late.removeAll { $0 === exchange }
                exchanges[ObjectIdentifier(exchange)] = nil
                exchange.whenAnswered = nil
                start(order.finish(numbered.number))
                tellIfIdle()
            }
        }
    }

    /// The request with this id that has no answer yet.
    private func exchange(_ id: MessageID) -> MCPExchange? {
        exchanges.values.first { $0.message.requestID == id && !$0.isAnswered && !$0.isCancelled }
    }

    // MARK: To the client

    /// Gives a message of the server to the client.
    /// - Parameter exchange: the message that it came in answer to; nil on the stream of the server's own messages.
    func deliver(_ bytes: [UInt8], to exchange: MCPExchange?) {
        let message: MCPMessage
        do throws(MessageError) {
            message = try MCPMessage(answer: bytes)
        } catch {
            return notes.complain("a message of the server is left out: \(error.words)")
        }
        switch message.kind {
        case .notification: output.write(message.bytes)
        case .request:
            guard exchange?.isModern != true else {
                return notes.complain("a request of the server is left out: this revision has none")
            }
            output.write(message.bytes)
        case .response(let id):
            guard let exchange, exchange.message.requestID == id, !exchange.isAnswered, !exchange.isCancelled else {
                return notes.complain("an answer of the server is left out: nobody waits for it")
            }
            answer(exchange, message)
        case .anonymousError:
            guard let exchange, !exchange.isAnswered, !exchange.isCancelled, let error = message.json["error"]?.object
            else { return }
            guard exchange.isRequest else {
                return notes.complain("the server says: \((error["message"]?.string ?? "error").quotable)")
            }
            let line = ErrorLine.make(exchange.message.requestID, error)
            guard let own = try? MCPMessage(line: line) else { return }
            answer(exchange, own)
        }
    }

    func answer(_ exchange: MCPExchange, _ message: MCPMessage) {
        var message = message
        if exchange.isModern, exchange.message.method == "tools/list", let result = message.json["result"]?.object {
            message = withoutFaultyTools(message, result)
        }
        exchange.response = message
        if !exchange.isOwn { output.write(message.bytes) }
        exchange.whenAnswered?()
        tellIfIdle()
    }

    private func withoutFaultyTools(_ message: MCPMessage, _ result: JSONObject) -> MCPMessage {
        let (kept, leftOut) = session.tools.take(result)
        if !leftOut.isEmpty {
            let words = leftOut.prefix(8).map { "the tool \"\($0.tool.quotable)\" is left out: \($0.reason.quotable)" }
            let more = leftOut.count > 8 ? "; and \(leftOut.count - 8) more" : ""
            notes.complain(words.joined(separator: "; ") + more)
        }
        guard let kept else { return message }
        var json = message.json
        json["result"] = .object(kept)
        return (try? MCPMessage(json)) ?? message
    }

    /// Has a client with sessions show a sign-in's address, if it can. Its answer is of no use: the sign-in tells how it ends.
    private func elicit(_ elicitation: SignInElicitation) {
        guard session.initialized != nil, session.initialize?.declaresURLElicitation == true else { return }
        elicitations.append(elicitation)
        output.write(elicitation.request)
    }

    private func complete(_ elicitation: SignInElicitation) {
        guard elicitations.contains(elicitation) else { return }
        output.write(elicitation.completion)
    }

    func fail(_ exchange: MCPExchange, _ code: ErrorLine.Code, _ words: String, data: JSONValue? = nil) {
        guard !exchange.isAnswered, !exchange.isCancelled else { return }
        guard let id = exchange.message.requestID, !exchange.isOwn else {
            return notes.say("\((exchange.message.method ?? "an answer").quotable): \(words)")
        }
        let line = ErrorLine.make(id, code, "switchyard: \(words.printable)", data: data)
        exchange.response = try? MCPMessage(line: line)
        output.write(line)
        exchange.whenAnswered?()
        tellIfIdle()
    }

    // MARK: The end

    /// Waits for the answers to calls that the server works on.
    private func finishCalls(or end: Promise<Void>) async {
        isFinishing = true
        inputIsOver.fulfil(())
        tellIfIdle()
        idle.whenFulfilled { end.fulfil(()) }
        _ = await end.value(until: .now() + Self.patience)
    }

    private func tellIfIdle() {
        guard isFinishing, !exchanges.values.contains(where: \.isAwaitedAtTheEnd) else { return }
        idle.fulfil(())
    }

    private func close() async {
        isClosing = true
        listening?.fulfil(())
        for exchange in exchanges.values { exchange.cancel() }
        if session.id != nil {
            _ = try? await client.send(
                remote.farewell(session.fields + access.fields(.delete), within: Self.farewell))
        }
        await access.close()
        await output.flush(until: .now() + Self.farewell)
        notes.finish()
    }
}
