internal import Glibc
internal import SwitchyardBridge
internal import SwitchyardHTTPClient
internal import SwitchyardReactor

/// Sends one request to a tool on the far machine's loopback, and reads its response.
///
/// libcurl connects to a socket of ours in the session's private folder, and `ssh -W` brings that one connection to the
/// tool. ssh's status then tells a port that cannot be reached from a tool that gives no answer; a local forwarding
/// (`ssh -O forward -L`) closes the connection in both cases.
struct ToolExchange {
    let link: SSHLink
    let client: HTTPClient

    /// - Parameter address: one of the far machine's loopback.
    func send(_ request: ToolRequest, to address: String) async throws(ExchangeError) -> ToolResponse {
        try await link.openingChannel { () async throws(ExchangeError) in
            try await sendNow(request, to: address)
        }
    }

    private func sendNow(_ request: ToolRequest, to address: String) async throws(ExchangeError) -> ToolResponse {
        let host = address.contains(":") ? "[\(address)]" : address
        let target = "\(host):\(request.endpoint.port)"
        let path = link.folder.newSocketPath
        let listener: ListeningSocket
        do throws(SystemError) {
            listener = try ListeningSocket(.unix(path: path, mode: 0o600, group: nil))
        } catch {
            throw .notConnected(reason: "\(error)")
        }
        let start = Promise<SSHProgram.Run?>()
        let acceptor = listener.accept(on: link.ssh.loop) { socket, _ in
            guard start.current == nil, let run = try? connect(socket, to: target) else {
                start.fulfil(nil)
                return socket.shutDown()
            }
            start.fulfil(run)
        }
        defer {
            acceptor.stop()
            start.current??.terminate()
        }
        do throws(TransferError) {
            let response = try await client.send(Self.outgoing(request, over: path))
            return ToolResponse(status: response.status, fields: response.headers, body: response.body)
        } catch {
            guard case let run?? = start.current else { throw .notConnected(reason: "\(error)") }
            // An ssh that still runs has reached the tool, which has the callback and must not get it again.
            guard error.kind == .interrupted, let end = await run.end.value(until: .now() + .seconds(5)),
                end != .exited(0)
            else { throw .unusableResponse }
            // The master process says why, about now, unless its LogLevel is low.
            throw .notConnected(reason: await link.refusal.value(until: .now() + .milliseconds(500)))
        }
    }

    /// Runs `ssh -W`, and copies between it and a connection of libcurl's. Two channels, because ssh ends its output
    /// while its input is still open.
    private func connect(_ socket: Socket, to target: String) throws -> SSHProgram.Run {
        let loop = link.ssh.loop
        let (input, output) = (try ChildChannel(on: loop), try ChildChannel(on: loop))
        defer {
            input.closeDescriptor()
            output.closeDescriptor()
        }
        let run = try link.ssh.start(
            link.shared + ["-W", target], input: input.descriptor, output: output.descriptor, leadsSession: true)
        loop.start {
            while let piece = await socket.nextPiece(), await input.socket.writeAll(Array(piece)) == .written {}
            input.socket.shutDown()
        }
        loop.start {
            while let piece = await output.socket.nextPiece(), await socket.writeAll(Array(piece)) == .written {}
            output.socket.shutDown()
            socket.shutDown()
        }
        return run
    }

    private static func outgoing(_ request: ToolRequest, over path: String) -> OutgoingRequest {
        OutgoingRequest(
            request.isPost ? .post : .get, request.endpoint.origin + request.target, headers: request.fields,
            body: request.isPost ? request.body : nil, timeout: .seconds(60), maximumBytes: 4 << 20, unixSocket: path,
            allowsPlainHTTP: true, isSentOnce: true)
    }
}

/// The reason why a port of the far machine's loopback has given no response.
enum ExchangeError: Error {
    /// There is no listener, or the server forbids the way there; with its words, as far as ssh has told them.
    case notConnected(reason: String?)
    case unusableResponse

    var isForbidden: Bool {
        if case .notConnected(let reason?) = self { reason.hasPrefix("administratively prohibited") } else { false }
    }
}
