internal import Glibc
internal import SwitchyardCrypto
internal import SwitchyardDesktop
internal import SwitchyardFiles
internal import SwitchyardGatewayClient
internal import SwitchyardHTTP
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardReactor

/// A sign-in for which this process waits, with a socket at which `switchyard release` gives its code. Safe from any thread.
///
/// The socket stands in the folder of this user, from ``announce(reference:title:on:release:)`` to ``end()``, and answers
/// this user's programs alone. A process that is killed leaves its file, which the next `release` removes.
final class WaitingSignIn: Sendable {
    private let path: String
    private let folder: WaitingFolder
    private let server: Server
    private let group: EventLoopGroup

    /// - Parameters:
    ///   - reference: public, by which the person tells it from others.
    ///   - title: what the sign-in is for, for people.
    ///   - loop: where `release` runs.
    ///   - release: gives a code to the gateway.
    /// - Throws: ``CommandError`` if `switchyard release` cannot reach this process.
    static func announce(
        reference: String, title: String, on loop: EventLoop,
        release: @escaping @Sendable (String) async -> ReleaseAnswer
    ) throws(CommandError) -> WaitingSignIn {
        do {
            let folder = try WaitingFolder.make()
            let service = WaitingService(reference: reference, title: title, loop: loop, release: release)
            return try WaitingSignIn(in: folder, service)
        } catch let error as AgentFolder.FolderError {
            throw CommandError(error.description, hint: error.remedy)
        } catch {
            throw CommandError("`switchyard release` cannot reach this process: \(error)")
        }
    }

    /// Announces a sign-in at a gateway. Only from a task of the client's loop.
    static func announce(
        _ signIn: PendingSignIn, title: String, with client: HTTPClient
    ) throws(CommandError) -> WaitingSignIn {
        try announce(reference: signIn.reference, title: title, on: .required) { code in
            do throws(GatewayCallError) {
                return ReleaseAnswer(try await signIn.release(code: code, with: client))
            } catch {
                return .failed("\(error)".printable)
            }
        }
    }

    private init(in folder: WaitingFolder, _ service: WaitingService) throws {
        self.folder = folder
        path = folder.socket("\(getpid())-\(Hexadecimal.encode(Random.bytes(2)))")
        group = try EventLoopGroup(count: 1)
        let limiter = ConnectionLimiter(.init(total: 32, perAddress: 32)) { _ in nil }
        server = Server(group: group, limits: HTTPLimits(), connections: limiter, service: service)
        try server.listen(Listener(.unix(path: path, mode: 0o600, group: nil), context: nil, number: 0))
        try group.start()
    }

    /// Removes the socket. An answer under way goes on.
    func end() {
        FilePath.remove(path)
        let loop = group.loops[0]
        loop.start { [server, group] in
            await server.stop(grace: .seconds(2))
            group.stop()
        }
    }
}

/// The answers at the socket of a waiting sign-in.
private struct WaitingService: Service {
    let reference: String
    let title: String
    let loop: EventLoop
    let release: @Sendable (String) async -> ReleaseAnswer

    func respond(to request: Request) async -> Response {
        // The folder keeps other users out, but for root.
        guard request.connection.peer == .local(uid: geteuid()) else { return Response(.forbidden) }
        switch (request.method, request.pathText) {
        case (.get, "/sign-in"): return json(["reference": .string(reference), "title": .string(title)])
        case (.post, "/release"):
            guard let code = (try? JSONValue.parse(request.body))?.object?["code"]?.string else {
                return Response(.badRequest)
            }
            let answer = Promise<ReleaseAnswer>()
            loop.start { [release] in answer.fulfil(await release(code)) }
            return json(await answer.value.json)
        default: return Response(.notFound)
        }
    }

    private func json(_ object: JSONObject) -> Response {
        Response(
            .ok, fields: ["Content-Type": "application/json"], body: .bytes(JSONValue.object(object).serialized))
    }
}
