internal import Handlers
internal import JSON
internal import OAuth
internal import PendingRequests

/// What an accepted response leads to.
enum NextStep: Sendable {
    case proceed(HeldResponse.Content)
    case fail(SignInFailure)

    /// - Parameters:
    ///   - parameters: as they came, for an app that redeems by itself.
    ///   - secrets: of the request; asked for only where they are needed.
    init(
        _ response: AuthorizationResponse, as parameters: [FormField], for record: RequestRecord, url: String,
        _ secrets: () -> RequestSecrets?
    ) {
        switch (record.completion, response.outcome) {
        case (.response, _):
            do throws(SignInFailure) {
                let answer = PendingHandler.answer(callback: url, parameters: parameters)
                self = .proceed(.answer(try ResultSeal(secrets()).body(of: answer)))
            } catch {
                self = .fail(error)
            }
        case (.tokens, .code(let code)): self = .proceed(.code(code))
        case (.tokens, .error(let error)): self = .fail(SignInFailure(error))
        }
    }
}
