internal import SwitchyardClient
internal import SwitchyardJSON
internal import Synchronization

/// Performs commands.
final class ProbeSession: Sendable {
    private let application: PublicClientApplication
    /// The sign-ins that wait for a release code, by the command's id.
    private let questions = Mutex<[String: CheckedContinuation<String?, Never>]>([:])
    private let tasks = Mutex<[String: Task<Void, Never>]>([:])

    init(_ application: PublicClientApplication) {
        self.application = application
    }

    func perform(_ command: JSONObject) async {
        let id = command["id"]?.string ?? ""
        do throws(AuthenticationError) {
            Output.write(["id": .string(id), "result": .object(try await result(of: command, id))])
        } catch {
            Output.write(["id": .string(id), "error": .object(Report.error(error))])
        }
    }

    private func result(of command: JSONObject, _ id: String) async throws(AuthenticationError) -> JSONObject {
        switch command["do"]?.string {
        case "acquire": return try await acquire(command, id)
        case "silent": return Report.result(try await application.acquireTokenSilent(with: try await silent(command)))
        case "token":
            let account = try await account(command)
            return ["access_token": .string(try await account?.accessToken(scopes: scopes(command)) ?? "")]
        case "handle":
            let outcome = await application.handleResponse(command["url"]?.string ?? "", sourceApplication: "a test")
            return ["outcome": .string("\(outcome)"), "handled": .bool(outcome.wasHandled)]
        case "handle_msal":
            return ["handled": .bool(await PublicClientApplication.handleMSALResponse(command["url"]?.string ?? ""))]
        case "code":
            let question = questions.withLock { $0.removeValue(forKey: command["for"]?.string ?? "") }
            question?.resume(returning: command["code"]?.string)
            return ["taken": .bool(question != nil)]
        case "cancel":
            tasks.withLock { $0[command["for"]?.string ?? ""] }?.cancel()
            return [:]
        case "api":
            var request = APIRequest(.get, command["url"]?.string ?? "", scopes: scopes(command))
            if command["interactive"]?.bool == true { request.interaction = presenting(command, id, scopes: []) }
            guard let answer = try await account(command)?.authorizedRequest(request) else { return ["account": .null] }
            return ["status": .integer(Int64(answer.status)), "text": .string(answer.text)]
        case "native", "native_code", "native_challenge", "native_browser", "native_token":
            return try await NativeCommands.shared.perform(command, application) { presenting(command, id, scopes: []) }
        case "check":
            try await application.checkRedirectURI()
            return ["checked": true]
        case "key_set": return ["keys": .string(try await application.clientKeySet())]
        case "accounts":
            return ["accounts": .array(try await application.accounts().map { .object(Report.account($0)) })]
        case "account": return ["account": try await account(command).map { .object(Report.account($0)) } ?? .null]
        case "sign_out":
            if let account = try await account(command) { try await application.signOut(account) }
            return [:]
        case "remove":
            if let account = try await account(command) { try await application.remove(account) }
            return [:]
        default: return ["unknown": true]
        }
    }

    private func scopes(_ command: JSONObject) -> [String] {
        (command["scopes"]?.array ?? []).compactMap(\.string)
    }

    private func claims(_ command: JSONObject) throws(AuthenticationError) -> ClaimsRequest? {
        guard let text = command["claims"]?.string else { return nil }
        do throws(ClaimsRequestError) {
            return try ClaimsRequest(json: text)
        } catch {
            throw AuthenticationError(.invalidParameter, nil, error.description)
        }
    }

    private func account(_ command: JSONObject) async throws(AuthenticationError) -> Account? {
        guard let identifier = command["account"]?.string else { return try await application.accounts().first }
        return try await application.account(for: identifier)
    }

    private func silent(_ command: JSONObject) async throws(AuthenticationError) -> SilentTokenParameters {
        let account = command["no_account"]?.bool == true ? nil : try await account(command)
        return SilentTokenParameters(
            scopes: scopes(command), account: account, forceRefresh: command["force"]?.bool ?? false,
            claims: try claims(command))
    }

    /// A sign-in that gives its address to the test.
    private func presenting(_ command: JSONObject, _ id: String, scopes: [String]) -> InteractiveTokenParameters {
        var parameters = InteractiveTokenParameters(scopes: scopes)
        for (name, value) in command["extra"]?.object?.members ?? [] {
            parameters.extraParameters[name] = value.string
        }
        if command["opens_browser"]?.bool == true { return parameters }
        parameters.presentation = .custom { url in
            Output.write(["id": .string(id), "present": .string(url)])
            return true
        }
        return parameters
    }

    private func acquire(_ command: JSONObject, _ id: String) async throws(AuthenticationError) -> JSONObject {
        var parameters = presenting(command, id, scopes: scopes(command))
        parameters.claims = try claims(command)
        parameters.extraScopesToConsent = (command["consent"]?.array ?? []).compactMap(\.string)
        parameters.loginHint = command["login_hint"]?.string
        parameters.prompt = [Prompt.login, .consent, .selectAccount, .create, .none].first {
            $0.rawValue == command["prompt"]?.string
        }
        parameters.timeout = .seconds(command["timeout"]?.integer ?? 60)
        if command["account"] != nil { parameters.account = try await account(command) }
        if command["answers_code"]?.bool ?? true {
            parameters.releaseCode = { [self] question in
                await withCheckedContinuation { continuation in
                    questions.withLock { $0[id] = continuation }
                    Output.write([
                        "id": .string(id), "code_for": .string(question.reference),
                        "attempts_left": question.attemptsLeft.map { .integer(Int64($0)) } ?? .null,
                    ])
                }
            }
        }
        let (application, finished) = (application, parameters)
        let task = Task { () async -> Result<AuthenticationResult, AuthenticationError> in
            do throws(AuthenticationError) {
                return .success(try await application.acquireToken(with: finished))
            } catch {
                return .failure(error)
            }
        }
        tasks.withLock {
            $0[id] = Task {
                await withTaskCancellationHandler {
                    _ = await task.value
                } onCancel: {
                    task.cancel()
                }
            }
        }
        return Report.result(try await task.value.get())
    }
}
