internal import Handlers
internal import JSON
internal import OAuth
internal import PendingRequests

/// What an accepted response leads to.
enum NextStep: Sendable {
    case proceed(HeldResponse.Content)
    case fail(SignInFailure)

    init(
        _ response: AuthorizationResponse, as parameters: [FormField], for record: RequestRecord, url: String
    ) {
        switch (record.completion, response.outcome) {
        case (.response, _):
            let answer = PendingHandler.answer(callback: url, parameters: parameters)
            self = .proceed(.answer(JSONValue.object(answer).serialized))
        case (.tokens, .code(let code)): self = .proceed(.code(code))
        case (.tokens, .error(let error)): self = .fail(SignInFailure(error))
        }
    }
}
