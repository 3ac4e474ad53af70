internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests

/// A callback by POST without the cookie that browsers hold back from a POST of another site: the browser must come
/// again to show it. The request's record keeps it, sealed, for a minute, so any gateway of the store can go on with
/// it. A cookie ties its address to the browser that brought it, since an address can be copied.
struct ParkedCallback: Sendable {
    let query: [UInt8]
    let content: [UInt8]

    private static let lifetime = Duration.seconds(60)
    /// The length of a handle: 16 random bytes in base64url.
    private static let handleLength = 22

    init(query: [UInt8], content: [UInt8]) {
        self.query = query
        self.content = content
    }

    /// Keeps the callback in the place of an earlier one of the same request.
    /// - Returns: the handle to ask for it with.
    /// - Throws: why it is not kept: too large, no room, or the request no longer waits for a callback.
    func park(for record: RequestRecord, in registry: RequestRegistry) async throws(CallbackError) -> String {
        // As large as a response may be at all: like a held one it counts for its address. The query's length goes into
        // two bytes.
        guard query.count <= Int(UInt16.max), query.count + content.count <= AuthorizationResponse.maximumLength
        else { throw .tooLarge }
        let handle = Random.token(byteCount: 16)
        let size = [UInt8(truncatingIfNeeded: query.count >> 8), UInt8(truncatingIfNeeded: query.count)]
        let packed = Array(handle.utf8) + size + query + content
        let parked: Result<RequestRecord, RequestTransition.Refusal>
        do throws(StoreError) {
            parked = try await registry.park(packed, for: record.id, lifetime: Self.lifetime)
        } catch {
            throw .unavailable
        }
        if case .failure(let refusal) = parked { throw CallbackError(refusal) }
        return handle
    }

    /// Marks the browser that brought the callback of a handle.
    static func addCookie(
        _ handle: String, for id: RequestID, _ registry: RequestRegistry, to response: inout Response
    ) {
        response.setCookie(
            cookie(id), registry.makeToken("parked \(handle)", for: id), lifetime: lifetime.components.seconds)
    }

    static func isBringer(
        _ handle: some StringProtocol, of id: RequestID, _ registry: RequestRegistry, showing cookies: Cookies
    ) -> Bool {
        cookies.values(of: cookie(id)).contains { registry.isToken($0, "parked \(handle)", for: id) }
    }

    private static func cookie(_ id: RequestID) -> String { "__Host-sy-parked-\(id)" }

    /// The callback of a handle; nil without one. It stays until it is too old: a browser that asks twice gets the same
    /// answer twice.
    init?(_ handle: some StringProtocol, of record: RequestRecord, in registry: RequestRegistry) {
        guard let packed = registry.parked(of: record), packed.count >= Self.handleLength + 2,
            constantTimeEqual(Array(packed.prefix(Self.handleLength)), Array(handle.utf8))
        else { return nil }
        let rest = packed.dropFirst(Self.handleLength + 2)
        let queryLength = Int(packed[Self.handleLength]) << 8 | Int(packed[Self.handleLength + 1])
        guard queryLength <= rest.count else { return nil }
        query = Array(rest.prefix(queryLength))
        content = Array(rest.dropFirst(queryLength))
    }
}
