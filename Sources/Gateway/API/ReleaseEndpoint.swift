internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardGatewayClient
internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting

/// `POST /v1/requests/{id}/release`: the app proves that it belongs to the browser that brought the callback, and the
/// gateway uses the held code.
struct ReleaseEndpoint: Sendable {
    let exchange: Exchange

    private var registry: RequestRegistry { exchange.registry }

    /// - Parameter record: the caller holds its result token.
    func release(_ record: RequestRecord) async throws -> Response {
        let given = try Self.proof(in: exchange.request)
        if let remote = exchange.core.remotes[record.id] { return try await release(record, given, at: remote) }
        guard let held = record.held, let response = registry.heldResponse(of: record) else { throw Self.notWaiting }
        let isRight = held.proof == given.kind && given.digests.contains(response.proof)
        let group = WrongProofs.Group(app: record.app, beginner: record.beginner.callerKey)
        switch exchange.core.wrongProofs.judge(isRight: isRight, group, of: record.id, at: registry.now) {
        case .right(let forgiven): await registry.forgive(forgiven)
        case .tooMany(let seconds): throw APIError.tooManyWrongProofs(of: record.app, retryAfter: seconds)
        case .wrong(let proof, let isNews):
            if isNews { exchange.events.report(.releaseGuessed(app: record.app, network: group.network)) }
            await registry.share(proof)
            return try await miss(record, given.kind)
        }
        let flow = SignInFlow(worker: exchange.worker, setup: exchange.setup)
        let app = exchange.setup.routes.app(record.app).flatMap { registry.app($0, of: record) }
        let isStillItsApp = app.map { record.registration == exchange.setup.registration(of: $0) } ?? false
        let step = isStillItsApp ? NextStep.proceed(response.content) : .fail(.registrationChanged)
        let claim = registry.makeClaim()
        let result: Result<RequestRecord, RequestTransition.Refusal>
        do throws(StoreError) {
            result = try await registry.release(
                record.id, by: claim, for: step.redeems ? .redemption : .answer
            ) { [events = exchange.events] in events.report(.released, of: $0) }
        } catch {
            flow.follow(step, ifClaimedBy: claim, record.id, isStillItsApp ? app : nil)
            throw error
        }
        guard case .success(let released) = result else { throw Self.notWaiting }
        flow.follow(step, released, isStillItsApp ? app : nil)
        return .noContent()
    }

    private static let notWaiting = APIError(
        .conflict, "invalid_request", "this request does not wait for a release")

    private static func proof(
        in request: Request
    ) throws(APIError) -> GivenProof {
        let content = try JSONContent(of: request, known: ["code", "ticket"])
        switch (try content.text("code", maximum: 64), try content.text("ticket", maximum: 64)) {
        case (let code?, nil): return .code(code)
        case (nil, let ticket?): return .ticket(ticket)
        default: throw .invalidRequest("give either \"code\" or \"ticket\"")
        }
    }

    /// Judges the proof. If the browser came to another gateway, that gateway judges it.
    private func release(
        _ record: RequestRecord, _ given: GivenProof, at remote: RemoteSignIn
    ) async throws(APIError) -> Response {
        switch try await remote.release(given, record, on: exchange.worker) {
        case .released: return .noContent()
        case .wrong(let left):
            exchange.events.report(.wrongCode(attemptsLeft: left), of: record)
            return Self.wrong(attemptsLeft: left)
        case .over: throw Self.notWaiting
        }
    }

    private func miss(_ record: RequestRecord, _ kind: RequestRecord.Held.Proof) async throws -> Response {
        let attempts = exchange.setup.configuration.limits.releaseAttempts
        let things = kind == .code ? "release codes" : "tickets"
        let failure = SignInFailure(.releaseFailed, description: "too many wrong \(things) (\(attempts))")
        let result = try await registry.miss(record, answer: AppResponse.body(of: failure)) {
            [events = exchange.events] missed in
            let left = missed.held?.attemptsLeft ?? 0
            events.report(.wrongCode(attemptsLeft: left), of: missed)
            if left == 0 {
                events.report(.failed(SignInFailureNote(code: .releaseFailed, cause: .wrongCode)), of: missed)
            }
        }
        guard case .success(let missed) = result else { throw Self.notWaiting }
        let left = missed.held?.attemptsLeft ?? 0
        return Self.wrong(attemptsLeft: left)
    }

    private static func wrong(attemptsLeft left: Int) -> Response {
        .json(
            .forbidden,
            [
                "error": "invalid_code",
                "error_description": .string(
                    left == 0
                        ? "the code is wrong, and the sign-in has ended; begin again"
                        : "the code is wrong; look at the page in the browser"),
                "attempts_left": .integer(Int64(left)),
            ])
    }
}

/// The proof by which an app shows that it belongs to the browser.
enum GivenProof: Sendable {
    /// A code that a person read on a page and typed.
    case code(String)
    /// Brought by the browser.
    case ticket(String)

    var kind: RequestRecord.Held.Proof {
        switch self {
        case .code: .code
        case .ticket: .ticket
        }
    }

    /// The digests that it may stand for.
    fileprivate var digests: [SHA256Digest] {
        switch self {
        case .code(let code): ReleaseSecret.digests(ofCode: code)
        case .ticket(let ticket): [ReleaseSecret.digest(ofTicket: ticket)]
        }
    }
}
