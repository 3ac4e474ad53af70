public import SwitchyardCrypto
public import SwitchyardHTTPClient
public import SwitchyardJOSE
public import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardReactor
public import SwitchyardText

/// One call to the apps' API of a gateway.
public struct GatewayCall: Sendable {
    public let method: OutgoingRequest.Method
    public let path: String
    /// For the `Authorization` header.
    public var token: String?
    /// Proves its possession with the call, where the request was begun with one.
    public var key: PrivateKey?
    public var body: JSONObject?
    /// How long the gateway may wait before it answers; whole seconds.
    public var wait: Duration
    /// How much longer the answer may take.
    public var responseTime: Duration
    /// Whether an answer without content would be told with some, too (RFC 7240 section 4.2).
    public var prefersContent = false

    public init(
        _ method: OutgoingRequest.Method, _ path: String, token: String? = nil, key: PrivateKey? = nil,
        body: JSONObject? = nil, wait: Duration = .zero, responseTime: Duration = .seconds(15)
    ) {
        self.method = method
        self.path = path
        self.token = token
        self.key = key
        self.body = body
        self.wait = wait
        self.responseTime = responseTime
    }
}

/// A gateway's answer, with any status.
public struct GatewayResponse: Sendable {
    public let status: Int
    /// Empty where there was no content.
    public let body: JSONObject
    /// `Retry-After` in whole seconds from now; nil if absent.
    public let retryAfter: Int?

    public init(status: Int, body: JSONObject = [:], retryAfter: Int? = nil) {
        self.status = status
        self.body = body
        self.retryAfter = retryAfter
    }
}

/// How a gateway is reached, and calls to its API for apps. Safe from any thread.
public struct GatewayConnection: Sendable {
    /// For people.
    public let name: String
    private let base: String
    private let unixSocket: String?
    private let trustAnchor: String?
    private let certificate: CertificateFiles?
    private let route: OutgoingRoute

    /// - Parameters:
    ///   - text: `https://HOST[:PORT]`, `unix:PATH`, or http on loopback.
    ///   - trustAnchor: path of a PEM file with more trust anchors, beside the system's.
    ///   - certificate: what is shown to a gateway that asks for one.
    ///   - route: how calls leave this machine; a gateway on loopback or a Unix socket is always reached directly.
    /// - Throws: ``GatewayCallError/invalidAddress(_:)``.
    public init(
        _ text: String, trustAnchor: String?, certificate: CertificateFiles? = nil, route: OutgoingRoute = .direct
    ) throws(GatewayCallError) {
        self.route = route
        self.trustAnchor = trustAnchor
        self.certificate = certificate
        name = text
        if text.hasPrefix("unix:"), text.utf8.count > 5 {
            unixSocket = String(text.dropFirst(5))
            // The name is not looked up; it only fills the Host field.
            base = "http://localhost"
        } else if let url = try? EndpointURL(text, allowingLoopbackHTTP: true), !text.contains("?") {
            // http on loopback only: in plain text over a network, any machine on the way could replace this sign-in by
            // its own.
            unixSocket = nil
            base = url.text.hasSuffix("/") ? String(url.text.dropLast()) : url.text
        } else {
            throw .invalidAddress(text)
        }
    }

    /// Calls the apps' API. Only from a task of the client's loop.
    /// - Throws: ``GatewayCallError/unreachable(gateway:_:)``,
    ///   ``GatewayCallError/answeredByAnother(status:retryAfter:)`` and ``GatewayCallError/local(_:)``. An answer of
    ///   the gateway itself is returned with any status.
    public func send(
        _ call: GatewayCall, with client: HTTPClient
    ) async throws(GatewayCallError) -> GatewayResponse {
        let url = base + call.path
        var headers = try Self.proof(call.method, url, call.token, call.key)
        if let token = call.token { headers.append(("Authorization", "Bearer \(token)")) }
        if call.body != nil { headers.append(("Content-Type", "application/json")) }
        if call.prefersContent { headers.append(("Prefer", "return=representation")) }
        if call.wait > .zero { headers.append(("Prefer", "wait=\(call.wait.components.seconds)")) }
        var request = OutgoingRequest(
            call.method, url, headers: headers, body: call.body.map { JSONValue.object($0).serialized },
            timeout: call.wait + call.responseTime, maximumBytes: 4 << 20, trustAnchor: trustAnchor,
            unixSocket: unixSocket, route: route, allowsPlainHTTP: true, isSentOnce: call.key != nil)
        request.certificate = certificate
        let response: IncomingResponse
        do throws(TransferError) {
            response = try await client.send(request)
        } catch {
            throw .unreachable(gateway: name, error)
        }
        return try Self.answer(response)
    }

    /// Follows a stream of server-sent events until `take` has enough of it or the gateway ends it. Only from a task of
    /// the client's loop.
    /// - Parameters:
    ///   - silence: the longest time without a byte, signs of life between events included; whole seconds.
    ///   - take: called on the loop's thread with each event; false ends it.
    /// - Returns: nil, or an answer that is no stream.
    /// - Throws: as ``send(_:with:)``.
    public func follow(
        _ path: String, silence: Duration, with client: HTTPClient,
        _ take: @escaping (EventStreamParser.Event) -> Bool
    ) async throws(GatewayCallError) -> GatewayResponse? {
        var request = OutgoingRequest(
            .get, base + path, headers: [("Accept", "text/event-stream")], trustAnchor: trustAnchor,
            unixSocket: unixSocket, route: route, allowsPlainHTTP: true)
        request.certificate = certificate
        var parser = EventStreamParser()
        let response: IncomingResponse
        do throws(TransferError) {
            response = try await client.stream(request, silence: silence) { piece in
                for event in parser.take(piece) where !take(event) { return false }
                return !parser.isOverfull
            }
        } catch {
            throw .unreachable(gateway: name, error)
        }
        return response.status == 200 ? nil : try Self.answer(response)
    }

    private static func answer(_ response: IncomingResponse) throws(GatewayCallError) -> GatewayResponse {
        let retryAfter = response.retryAfter(now: WallTime.now().seconds)
        // A 204 has no content, and neither have some of the gateway's HTTP errors.
        let isEmpty = response.body.isEmpty && response.status < 500
        let object = isEmpty ? JSONObject() : (try? JSONValue.parse(response.body))?.object
        guard let object else { throw .answeredByAnother(status: response.status, retryAfter: retryAfter) }
        return GatewayResponse(status: response.status, body: object, retryAfter: retryAfter)
    }

    private static func proof(
        _ method: OutgoingRequest.Method, _ url: String, _ token: String?, _ key: PrivateKey?
    ) throws(GatewayCallError) -> [(String, String)] {
        guard let token, let key else { return [] }
        let proof = key.makeProof(
            method: method.rawValue, url: String(url.prefix { $0 != "?" }), now: WallTime.now().seconds, token: token)
        guard let proof else { throw .local("cannot sign the proof for the gateway") }
        return [("DPoP", proof)]
    }
}
