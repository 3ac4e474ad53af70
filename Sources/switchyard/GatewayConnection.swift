internal import Glibc
internal import HTTPClient
internal import JOSE
internal import JSON
internal import Reactor

/// How a command reaches a gateway.
struct GatewayConnection: Sendable {
    let base: String
    let unixSocket: String?
    let trustAnchor: String?

    static let options: [Option] = [.value("gateway"), .value("ca")]
    static let help = """
          --gateway URL   the gateway: https://HOST[:PORT], or unix:PATH (default: $SWITCHYARD_GATEWAY, then the user's
                          agent, then unix:/run/switchyard/switchyard.sock)
          --ca FILE       an extra trust anchor in PEM (default: $SWITCHYARD_CA)
        """

    init(_ options: Options) throws {
        let text = options["gateway"] ?? Environment["SWITCHYARD_GATEWAY"] ?? Self.defaultGateway
        try self.init(text, trustAnchor: options["ca"] ?? Environment["SWITCHYARD_CA"])
    }

    init(_ text: String, trustAnchor: String?) throws {
        self.trustAnchor = trustAnchor
        if text.hasPrefix("unix:") {
            unixSocket = String(text.dropFirst(5))
            // The name is not looked up; it only fills the Host field.
            base = "http://localhost"
        } else if text.hasPrefix("https://") || Self.isLoopbackHTTP(text) {
            unixSocket = nil
            base = text.hasSuffix("/") ? String(text.dropLast()) : text
        } else {
            throw UsageError(
                message: "\"\(text)\" is no gateway: write https://HOST[:PORT] or unix:PATH (http on loopback only)")
        }
    }

    /// In plain text over a network, anybody on the way could put a sign-in of their own in the place of this one.
    private static func isLoopbackHTTP(_ text: String) -> Bool {
        guard text.hasPrefix("http://") else { return false }
        let host = text.dropFirst("http://".count).prefix { $0 != "/" }
        let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
        return ["localhost", "127.0.0.1", "[::1]"].contains(name.lowercased())
    }

    private static var defaultGateway: String {
        if let runtime = Environment["XDG_RUNTIME_DIR"] {
            let agent = "\(runtime)/switchyard/agent.sock"
            if unsafe access(agent, F_OK) == 0 { return "unix:\(agent)" }
        }
        return "unix:/run/switchyard/switchyard.sock"
    }

    /// Calls the apps' API.
    /// - Parameter key: proves its possession with the call, where the request was begun with one.
    func call(
        _ method: OutgoingRequest.Method, _ path: String, token: String? = nil, key: PrivateKey? = nil,
        body: JSONObject? = nil, wait seconds: Int = 0, with client: HTTPClient
    ) async throws -> (status: Int, body: JSONObject) {
        var headers: [(String, String)] = []
        if let token, let key {
            let url = String((base + path).prefix { $0 != "?" })
            guard
                let proof = key.makeProof(
                    method: method.rawValue, url: url, now: WallClock.seconds(), token: token)
            else { throw CommandFailure("cannot sign the proof for the gateway") }
            headers.append(("DPoP", proof))
        }
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
        if body != nil { headers.append(("Content-Type", "application/json")) }
        if seconds > 0 { headers.append(("Prefer", "wait=\(seconds)")) }
        let request = OutgoingRequest(
            method, base + path, headers: headers, body: body.map { JSONValue.object($0).serialized },
            timeout: .seconds(seconds + 15), maximumBytes: 4 << 20, trustAnchor: trustAnchor, unixSocket: unixSocket,
            allowsPlainHTTP: true)
        let response: IncomingResponse
        do {
            response = try await client.send(request)
        } catch {
            throw CommandFailure("cannot reach the gateway at \(unixSocket.map { "unix:" + $0 } ?? base): \(error)")
        }
        let object = response.body.isEmpty ? JSONObject() : (try? JSONValue.parse(response.body))?.object
        guard let object else {
            throw CommandFailure("the gateway answered \(response.status) with something that is no JSON")
        }
        return (response.status, object)
    }
}

/// Why a command's work failed.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// From an error answer of the API.
    init(_ what: String, _ status: Int, _ body: JSONObject) {
        let reason = (body["error_description"] ?? body["error"])?.string?.printable ?? "status \(status)"
        self.init("\(what): \(reason)")
    }
}
