internal import SwitchyardJOSE
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests

/// Seals a completed result to the app's key, where the app gave one, from the moment that it exists.
struct ResultSeal: Sendable {
    private let resultKey: String?

    /// Whether the app gave a key.
    var isSealing: Bool { resultKey != nil }

    /// - Parameter secrets: of the request; nil when they cannot be opened.
    /// - Throws: ``SignInFailure`` without them: a result that should be sealed must not go out as it is.
    init(_ secrets: RequestSecrets?) throws(SignInFailure) {
        guard let secrets else {
            throw SignInFailure(.internal, description: "the request's secrets cannot be opened")
        }
        resultKey = secrets.resultKey
    }

    /// The body for the app.
    func body(of answer: JSONObject) throws(SignInFailure) -> [UInt8] {
        let body = JSONValue.object(answer).serialized
        guard let resultKey else { return body }
        guard let sealed = PublicKey(jwk: resultKey)?.seal(body) else {
            throw SignInFailure(.internal, description: "the result cannot be sealed")
        }
        return JSONValue.object(AppResponse.completed(sealed: sealed)).serialized
    }
}
