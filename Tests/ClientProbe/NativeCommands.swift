internal import SwitchyardClient
internal import SwitchyardJSON
internal import Synchronization

/// Native sign-ins, a step a command; the last step's answer is what the next one goes on from.
final class NativeCommands: Sendable {
    static let shared = NativeCommands()

    private let state = Mutex<NativeSignIn?>(nil)

    func perform(
        _ command: JSONObject, _ application: PublicClientApplication,
        presenting: () -> InteractiveTokenParameters
    ) async throws(AuthenticationError) -> JSONObject {
        let scopes = (command["scopes"]?.array ?? []).compactMap(\.string)
        let last = state.withLock { $0 }
        switch command["do"]?.string {
        case "native":
            let username = command["username"]?.string ?? ""
            if let password = command["password"]?.string {
                return keep(
                    try await application.nativeAuth.signIn(username: username, password: password, scopes: scopes))
            }
            return keep(try await application.nativeAuth.signIn(username: username, scopes: scopes))
        case "native_code":
            if let step = last?.codeRequired {
                return keep(try await step.submit(code: command["code"]?.string ?? ""))
            }
        case "native_challenge":
            if let step = last?.codeRequired { return keep(try await step.resend()) }
            if let step = last?.mfaRequired { return keep(try await step.requestChallenge()) }
        case "native_browser":
            if let step = last?.browserRequired {
                var parameters = presenting()
                parameters.scopes = scopes
                return Report.result(try await step.signIn(with: parameters))
            }
        case "native_token":
            if let account = last?.completed { return Report.result(try await account.getAccessToken(scopes: scopes)) }
        default: break
        }
        return ["step": "none of these"]
    }

    private func keep(_ step: NativeSignIn) -> JSONObject {
        state.withLock { $0 = step }
        if let account = step.completed {
            var object = Report.result(account.result)
            object["step"] = "completed"
            return object
        }
        if let step = step.codeRequired {
            return [
                "step": "code", "sent_to": step.sentTo.map { .string($0) } ?? .null,
                "length": step.codeLength.map { .integer(Int64($0)) } ?? .null,
            ]
        }
        if let step = step.mfaRequired {
            return ["step": "mfa", "methods": .array(step.methods.map { .string($0.id) })]
        }
        return ["step": "browser", "reason": step.browserRequired?.reason.map { .string($0) } ?? .null]
    }
}
