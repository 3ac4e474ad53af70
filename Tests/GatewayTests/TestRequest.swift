import Glibc
import Reactor

@testable import HTTP

/// Requests that never were on a wire, as the gateway's parts see them.
enum TestRequest {
    /// What parses needs some connection; one for all of them is enough.
    private static let socket = Task { () -> Socket? in
        guard let test = try? TestLoop() else { return nil }
        return await test.run {
            let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            return try? Socket(adopting: descriptor, on: test.loop)
        }
    }

    /// - Parameter fields: whole lines, without their ends.
    static func make(
        _ line: String = "GET /", fields: [String] = [], body: String = "", from peer: Peer = .local(uid: 1000)
    ) async throws -> Request {
        guard let socket = await socket.value else { throw SystemError("socket", code: EMFILE) }
        let connection = ConnectionContext(peer: peer, isSecure: true, listener: 0, socket: socket)
        var request = Request(connection: connection)
        let head = "\(line) HTTP/1.1\r\nHost: a\r\n" + fields.map { "\($0)\r\n" }.joined() + "\r\n"
        var parser = RequestHeadParser(limits: HTTPLimits())
        _ = try parser.parse(Array(head.utf8), count: head.utf8.count, into: &request)
        request.body = Array(body.utf8)
        return request
    }

    /// A call of the API with JSON in it.
    static func json(_ body: String, type: String = "application/json") async throws -> Request {
        try await make("POST /v1/requests", fields: ["Content-Type: \(type)"], body: body)
    }
}

extension Response {
    /// Every value of a field, in order.
    func values(_ name: String) -> [String] {
        String(decoding: fieldLines, as: UTF8.self).split(separator: "\r\n")
            .filter { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.utf8.count + 2)) }
    }
}
