internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardRouting

extension SignInFailure {
    /// Ends a sign-in with `require_start`: codes came in other browsers than the one that started it, as often as they may.
    static let startedElsewhere = SignInFailure(
        .releaseFailed, description: "the callback came in other browsers than the one that started the sign-in")

    /// After a reload that made the app another issuer's or client's, or took it away.
    static let registrationChanged = SignInFailure(
        .internal,
        description: "the app's registration has changed since the sign-in began, so its code goes nowhere; begin again"
    )
}

/// The next step after an accepted response.
enum NextStep: Sendable {
    case proceed(HeldResponse.Content)
    /// An app that redeems by itself gets this body, with the issuer's error.
    case answerWithError([UInt8], error: SignInFailure.Code)
    /// The browser takes the response to the app on its own machine, at this port.
    case sendOn(port: UInt16)
    /// - Parameter isFromCallback: whether the failure comes from the callback, without a signature.
    case fail(SignInFailure, isFromCallback: Bool = false)

    /// Whether a code must be sent to its issuer.
    var redeems: Bool { ending == nil }

    /// The end of a request that needs no call to the issuer: the outcome, and the body that the app gets.
    var ending: (kind: RequestRecord.Outcome.Kind, answer: [UInt8])? {
        switch self {
        case .proceed(.code): nil
        case .proceed(.answer(let body)): (.completed, body)
        case .answerWithError(let body, let error): (.errorResponse(error: error), body)
        case .sendOn: (.passedOn, AppResponse.passedOn(by: .loopback))
        case .fail(let failure, _): (.failed(failure.code), AppResponse.body(of: failure))
        }
    }

    /// The port to which the browser takes the response on its own machine; nil if it does not.
    var port: UInt16? {
        if case .sendOn(let port) = self { port } else { nil }
    }

    /// Sends the browser with the response, also with a refusal, to the app's port. A request that was begun for another
    /// handler fails: it has no port, or the gateway redeems its code.
    /// - Parameter secrets: the secrets of the request.
    init(sendingOn record: RequestRecord, _ secrets: RequestSecrets?) {
        self =
            if record.completion == .response, let port = secrets?.returnPort {
                .sendOn(port: port)
            } else {
                .fail(.registrationChanged)
            }
    }

    /// The event that reports the end.
    /// - Parameter issuer: the name of the app's issuer, if it is set up.
    func end(issuer: String?) -> SignInStep {
        if case .sendOn = self { return .passedOn(by: .loopback) }
        guard case .fail(let failure, let isFromCallback) = self else { return .completed }
        var note = SignInFailureNote(failure, issuer: issuer, isFromCallback: isFromCallback)
        note.cause = failure == .registrationChanged ? .registrationChanged : nil
        return .failed(note)
    }

    /// - Parameters:
    ///   - isReleased: whether browser and app are known to belong together. Before that the app gets only the name of
    ///     an issuer's error: the sign-in may be another person's.
    ///   - arrival: the callback's arrival, in seconds since 1970.
    ///   - secrets: the secrets of the request; asked for only if they are needed.
    init(
        _ response: CheckedResponse, for record: RequestRecord, url: String, arrival: Int64, isReleased: Bool,
        _ secrets: () -> RequestSecrets?
    ) {
        switch (record.completion, response.outcome) {
        case (_, .error(let error)) where !isReleased:
            self = .fail(SignInFailure(error).beforeRelease, isFromCallback: !response.isSigned)
        case (.response, _):
            do throws(SignInFailure) {
                let answer = AppResponse.completed(callback: url, parameters: response.received)
                let body = try ResultSeal(secrets()).body(of: answer)
                self =
                    switch response.outcome {
                    case .code: .proceed(.answer(body))
                    case .error(let error): .answerWithError(body, error: SignInFailure(error).code)
                    }
            } catch {
                self = .fail(error)
            }
        case (.tokens, .code(let code)):
            self = .proceed(.code(code, response.callbackParameters, arrival: arrival))
        case (.tokens, .error(let error)): self = .fail(SignInFailure(error), isFromCallback: !response.isSigned)
        }
    }
}
