public import SwitchyardHTTPClient
internal import SwitchyardJOSE
public import SwitchyardJSON
internal import SwitchyardReactor

extension PendingSignIn {
    /// How long a beginning is tried while a proxy answers for its gateway.
    public enum Retry: Sendable {
        /// The first failure is thrown, after eight seconds at the most.
        case once
        /// It may be restarting.
        case forHalfAMinute
    }

    /// Begins a sign-in. Only from a task of the client's loop, like all functions here.
    /// - Parameters:
    ///   - body: the fields of `POST /v1/requests`, for each try: a state of the app's own must be a new one. The
    ///     fields for the seal are added.
    ///   - apiKey: for a gateway that asks for one.
    ///   - retry: how often it is tried.
    ///   - whenSetBack: called when another server answers in the gateway's place, before the next try.
    public static func begin(
        _ body: () -> JSONObject, at gateway: GatewayConnection, apiKey: String? = nil, retry: Retry = .forHalfAMinute,
        with client: HTTPClient, whenSetBack: (GatewayCallError) -> Void = { _ in }
    ) async throws(GatewayCallError) -> PendingSignIn {
        try await begin(
            body, over: Transport(gateway), apiKey: apiKey, retry: retry, with: client, whenSetBack: whenSetBack)
    }

    static func begin(
        _ body: () -> JSONObject, over transport: Transport, apiKey: String? = nil, retry: Retry = .forHalfAMinute,
        with client: HTTPClient, whenSetBack: (GatewayCallError) -> Void = { _ in }
    ) async throws(GatewayCallError) -> PendingSignIn {
        guard let key = PrivateKey() else { throw .local("cannot make a key for the result") }
        var retries = RetryPlan(until: .now(), at: .now(), silence: .seconds(30))
        while true {
            var body = body()
            // An app that redeems by itself may compose the authorization request, too.
            let needsAddress = body["completion"] != "response" || body["code_challenge"] != nil
            body["result_key"] = .object(key.publicKey.json)
            body["result_proof"] = true
            let call = GatewayCall(
                .post, "/v1/requests", token: apiKey, body: body,
                responseTime: retry == .once ? .seconds(8) : .seconds(15))
            let answer: GatewayResponse
            do throws(GatewayCallError) {
                answer = try await transport.send(call, client)
            } catch {
                // Either the gateway has not seen the request, or the sign-in that it began stays unused. The caller
                // handles the gateway's own refusals.
                guard retry == .forHalfAMinute, case .answeredByAnother(502...504, _) = error, !Task.isCancelled,
                    let pause = retries.pause(retryAfter: error.retryAfter, at: .now())
                else { throw error }
                if retries.isFirstSetback { whenSetBack(error) }
                await transport.pause(pause)
                continue
            }
            guard answer.status == 201 else { throw .refused(GatewayRefusal("the sign-in did not begin", answer)) }
            guard let signIn = PendingSignIn(answer.body, needsAddress, transport, key) else {
                throw .malformedResponse("the gateway began a sign-in without saying all that it should")
            }
            return signIn
        }
    }
}
