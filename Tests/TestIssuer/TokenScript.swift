internal import SwitchyardDemoIssuer
internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardReactor
internal import SwitchyardText
internal import Synchronization

/// The scripted answers to the next token requests. Safe from any thread.
final class TokenScript: Sendable {
    struct Entry: Sendable {
        /// nil for every client.
        var clientID: String?
        /// nil for every one.
        var grantType: RequestKind?
        /// How many requests it is for, from now on.
        var times = 1
        var answer = ScriptedAnswer()

        fileprivate func isFor(_ clientID: String, _ grantType: RequestKind) -> Bool {
            (self.clientID ?? clientID) == clientID && (self.grantType ?? grantType) == grantType
        }
    }

    private let entries = Mutex<[Entry]>([])
    private static let capacity = 1000

    /// In the order in which they were added; each request uses up one, of the first entry that is for it.
    private func next(_ clientID: String, _ grantType: RequestKind) -> ScriptedAnswer? {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.isFor(clientID, grantType) }) else { return nil }
            let answer = entries[index].answer
            entries[index].times -= 1
            if entries[index].times == 0 { entries.remove(at: index) }
            return answer
        }
    }

    /// The scripted answer to a request of this client and kind, or else the answer of `course`, with the scripted
    /// misbehaviors.
    func answer(
        _ clientID: String, _ kind: RequestKind, _ request: Request,
        _ course: (Misbehaviors) async throws(TokenError) -> Response
    ) async throws(TokenError) -> Response {
        guard let scripted = next(clientID, kind) else { return try await course(Misbehaviors()) }
        await request.connection.wait(scripted.delay)
        if let response = scripted.response(to: request) { return response }
        var response: Response
        do throws(TokenError) {
            response = try await course(scripted.misbehaviors)
        } catch {
            response = error.response
        }
        scripted.addRetryAfter(to: &response)
        return response
    }

    /// Whether there was room for it.
    func add(_ entry: Entry) -> Bool {
        entries.withLock { entries in
            guard entries.count < Self.capacity else { return false }
            entries.append(entry)
            return true
        }
    }

    /// - Parameter clientID: the client of the entries; nil for all entries, also those for every client.
    func forget(_ clientID: String?) {
        entries.withLock { entries in entries.removeAll { clientID == nil || $0.clientID == clientID } }
    }
}

/// A test's order for the token endpoint.
struct ScriptedAnswer: Sendable {
    /// Before anything else, even before ``isCut``.
    var delay = Duration.zero
    /// Whether the connection ends without an answer, and the code or token stays unused.
    var isCut = false
    /// Whether native authentication sends the app to a browser.
    var redirects = false
    /// The answer with ``error``, or without content; nil lets the request take its course.
    var status: Status?
    var error: TokenError?
    /// Beside the error: what a claims challenge asks for, as the text of a JSON object.
    var claims: String?
    /// Goes with any answer, also with tokens.
    var retryAfter: RetryAfter?
    /// Beside those of the sign-in and the request; only when the request takes its course.
    var misbehaviors = Misbehaviors()

    /// nil if the request takes its course. The other answers use up no code or token.
    func response(to request: Request) -> Response? {
        if isCut { return .cutOff }
        if redirects { return .json(.ok, .object(NativeEndpoint.redirect)) }
        guard var response = failure(request) else { return nil }
        addRetryAfter(to: &response)
        return response
    }

    func addRetryAfter(to response: inout Response) {
        if let retryAfter { response.add("Retry-After", retryAfter.text) }
    }

    private func failure(_ request: Request) -> Response? {
        guard var error else { return status.map { .text($0, "The demo issuer was told to answer so.") } }
        if let status { error.status = status }
        var members = error.members
        members["claims"] = claims.map { .string($0) }
        // So that a client can tell its own attempts apart, as with Microsoft's issuers.
        members["correlation_id"] = request.field("client-request-id").map { .string($0) }
        return error.response(members)
    }
}

/// The field `Retry-After` (RFC 9110 section 10.2.3).
enum RetryAfter: Sendable {
    /// As it is, whether it means anything or not.
    case text(String)
    /// A date so many seconds after the answer.
    case date(in: Int64)

    var text: String {
        switch self {
        case .text(let text): text
        case .date(let seconds): HTTPDate.format(WallTime.now().seconds + seconds)
        }
    }
}
