internal import SwitchyardConfiguration
internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardText
internal import Synchronization

/// Lets an operator find out whether browsers reach this gateway, and how their requests arrive. The admin listener
/// gives out an address with a nonce. The listeners for browsers and apps answer there with a sealed description of the
/// request, and the admin listener opens it.
///
/// The key ring seals nonce and answer. So the probe needs no state, and every gateway with the same keys may answer.
/// No other server can, not even one that repeats its input. Safe from any thread.
final class ListenerProbe: Sendable {
    static let pathPrefix = "/.well-known/switchyard/"

    /// The id that distinguishes gateways with the same keys.
    let gateway = RequestID().description
    private let held = Atomic(0)

    /// How long a nonce is good for; long enough for the longest wait.
    private static let lifetime: Int64 = 120
    /// The longest time for which an answer may be held back, to find a proxy that does not wait as long as apps do.
    private static let longestWait = Duration.seconds(65)
    /// So many at the same time: each costs a connection.
    private static let maximumHeld = 8
    private static let (noncePurpose, answerPurpose) = ("door", "seen")

    // MARK: For the operator

    /// A fresh address to ask for.
    func begin(_ registry: RequestRegistry) -> Response {
        let id = RequestID()
        let end = "\(WallTime.now().seconds + Self.lifetime)"
        let path = "\(Self.pathPrefix)\(id).\(registry.seal(end, Self.noncePurpose, for: id))"
        return .json(.created, ["path": .string(path), "expires_in": .integer(Self.lifetime)])
    }

    /// Opens the description that another listener sealed.
    func open(_ content: JSONContent, _ registry: RequestRegistry) throws(APIError) -> Response {
        let path = try content.requiredText("path")
        let answer = try content.requiredText("answer", maximum: 16 << 10)
        guard let id = Self.nonce(inPath: path, registry),
            let text = registry.open(answer, Self.answerPurpose, for: id),
            var seen = (try? JSONValue.parse(Array(text.utf8)))?.object
        else {
            throw .invalidRequest("that is no answer of this gateway, or of another one with its keys, at this path")
        }
        seen["this_gateway"] = .bool(seen["gateway"]?.string == gateway)
        return .json(.ok, seen)
    }

    // MARK: At the doors

    /// The answer at an address that was given out; nil for every other one, and once its time is over.
    func answer(_ exchange: Exchange) async -> Response? {
        let request = exchange.request
        guard request.pathBytes.starts(with: Self.pathPrefix.utf8), request.method == .get,
            exchange.limit(by: exchange.setup.pageLimiter) == nil,
            let id = Self.nonce(inPath: request.pathText, exchange.registry)
        else { return nil }
        await hold(request, exchange.core)
        let seen = String(decoding: JSONValue.object(seen(exchange)).serialized, as: UTF8.self)
        var response = Response(
            .ok,
            fields: [
                "Content-Type": "text/plain", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
            ], body: .bytes(Array(exchange.registry.seal(seen, Self.answerPurpose, for: id).utf8)))
        if request.connection.isSecure || exchange.caller.isProxied {
            response.setCookie(Self.cookie, "\(id)", lifetime: Self.lifetime)
        }
        return response
    }

    /// Shows whether cookies pass in both directions: no release page works without.
    private static let cookie = "__Host-sy-door"

    private static func nonce(inPath path: String, _ registry: RequestRegistry) -> RequestID? {
        let parts = path.dropFirst(pathPrefix.count).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = RequestID(parts[0]),
            let end = registry.open(parts[1], noncePurpose, for: id).flatMap({ Int64($0) }),
            WallTime.now().seconds < end
        else { return nil }
        return id
    }

    /// Waits as long as the request prefers, as a call of the API does.
    private func hold(_ request: Request, _ core: GatewayCore) async {
        guard let wait = request.preferredWait, wait > .zero else { return }
        guard held.add(1, ordering: .relaxed).newValue <= Self.maximumHeld else {
            held.subtract(1, ordering: .relaxed)
            return
        }
        defer { held.subtract(1, ordering: .relaxed) }
        let end = Instant.now() + min(wait, Self.longestWait)
        while Instant.now() < end, !core.isStopping, !request.connection.isPeerGone {
            await EventLoop.sleep(until: min(end, .now() + .seconds(1)))
        }
    }

    private func seen(_ exchange: Exchange) -> JSONObject {
        let (request, caller) = (exchange.request, exchange.caller)
        let listener = exchange.setup.configuration.listeners[request.connection.listener]
        func text(_ bytes: ArraySlice<UInt8>?) -> JSONValue {
            .string(String(decoding: (bytes ?? []).prefix(256), as: UTF8.self))
        }
        let fields = Caller.forwardingFields(of: request).map { JSONValue.string($0.description) }
        var seen: JSONObject = [
            "gateway": .string(gateway), "listener": .string("\(listener.address)"),
            "tls": .bool(request.connection.isSecure), "peer": .string(Caller(request.connection.peer).text),
            "from": .string(caller.text), "proxied": .bool(caller.isProxied),
            "known": .bool(caller.isKnown(by: request)), "forwarding_fields": .array(fields),
            "query": text(request.queryBytes),
            "cookie": .bool(exchange.cookies.names.contains { $0 == Self.cookie }),
        ]
        seen["host"] = request.authority.map { authority in
            let host = String(decoding: authority.host.prefix(256), as: UTF8.self)
            return .string(authority.port.map { "\(host):\($0)" } ?? host)
        }
        return seen
    }
}
