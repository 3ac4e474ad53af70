public import SwitchyardHTTPClient
public import SwitchyardJOSE
public import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardReactor

/// How a gateway is reached, and calls to its API for apps. Safe from any thread.
public struct GatewayConnection: Sendable {
    /// For people.
    public let name: String
    private let base: String
    private let unixSocket: String?
    private let trustAnchor: String?

    /// - Parameters:
    ///   - text: `https://HOST[:PORT]`, `unix:PATH`, or http on loopback.
    ///   - trustAnchor: path of a PEM file with more trust anchors, beside the system's.
    /// - Throws: ``GatewayFailure/invalidAddress(_:)``.
    public init(_ text: String, trustAnchor: String?) throws(GatewayFailure) {
        self.trustAnchor = trustAnchor
        name = text
        if text.hasPrefix("unix:"), text.utf8.count > 5 {
            unixSocket = String(text.dropFirst(5))
            // The name is not looked up; it only fills the Host field.
            base = "http://localhost"
        } else if let url = try? EndpointURL(text, allowingLoopbackHTTP: true), !text.contains("?") {
            // http on loopback only: in plain text over a network, anybody on the way could put a sign-in of their own in
            // the place of this one.
            unixSocket = nil
            base = url.text.hasSuffix("/") ? String(url.text.dropLast()) : url.text
        } else {
            throw .invalidAddress(text)
        }
    }

    /// Calls the apps' API. Only from a task of the client's loop.
    /// - Parameters:
    ///   - token: for the `Authorization` header.
    ///   - key: proves its possession with the call, where the request was begun with one.
    ///   - seconds: how long the gateway may wait before it answers.
    public func call(
        _ method: OutgoingRequest.Method, _ path: String, token: String? = nil, key: PrivateKey? = nil,
        body: JSONObject? = nil, wait seconds: Int = 0, with client: HTTPClient
    ) async throws(GatewayFailure) -> (status: Int, body: JSONObject) {
        let url = base + path
        var headers = try Self.proof(method, url, token, key)
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
        if body != nil { headers.append(("Content-Type", "application/json")) }
        if seconds > 0 { headers.append(("Prefer", "wait=\(seconds)")) }
        let request = OutgoingRequest(
            method, url, headers: headers, body: body.map { JSONValue.object($0).serialized },
            timeout: .seconds(seconds + 15), maximumBytes: 4 << 20, trustAnchor: trustAnchor, unixSocket: unixSocket,
            allowsPlainHTTP: true, isSentOnce: key != nil)
        let response: IncomingResponse
        do throws(TransferError) {
            response = try await client.send(request)
        } catch {
            throw .unreachable(gateway: name, error)
        }
        let object = response.body.isEmpty ? JSONObject() : (try? JSONValue.parse(response.body))?.object
        guard let object else {
            throw .malformedAnswer("the gateway answered \(response.status) with something that is no JSON")
        }
        return (response.status, object)
    }

    private static func proof(
        _ method: OutgoingRequest.Method, _ url: String, _ token: String?, _ key: PrivateKey?
    ) throws(GatewayFailure) -> [(String, String)] {
        guard let token, let key else { return [] }
        let proof = key.makeProof(
            method: method.rawValue, url: String(url.prefix { $0 != "?" }), now: WallClock.seconds(), token: token)
        guard let proof else { throw .local("cannot sign the proof for the gateway") }
        return [("DPoP", proof)]
    }
}
