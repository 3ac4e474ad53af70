internal import SwitchyardDesktop
internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardJSON

/// A sign-in of the person at the terminal: the browser, or the address for one, the question for a release code, and what
/// to look at when it fails.
struct TerminalSignIn: Sendable {
    let gateway: GatewayConnection
    var apiKey: String?
    var opensBrowser = true
    /// The failure of a sign-in for which no browser opens, where no person would read its address.
    var withoutBrowser: CommandError?

    /// Only from a task of the client's loop.
    /// - Parameter body: of `POST /v1/requests`; the name of this machine is added.
    /// - Returns: the outcome, with its tokens.
    /// - Throws: ``CommandError`` for a sign-in that has failed.
    func run(_ body: JSONObject, with client: HTTPClient) async throws -> JSONObject {
        var fields = body
        fields["host_label"] = Host.label.map { .string($0) }
        let body = fields
        let signIn = try await PendingSignIn.begin(
            { body }, at: gateway, apiKey: apiKey, with: client, whenSetBack: ReleasePrompt.saySetback)
        let remedy = SignInRemedy(app: (body["app"] ?? body["resource"])?.string ?? "", signIn)
        if !opensBrowser || !Browser.open(signIn.startURL) {
            if let withoutBrowser {
                _ = try? await signIn.end(with: client)
                throw withoutBrowser
            }
            Terminal.note("Open this address in a browser:\n\n  \(signIn.startURL)\n")
        }
        Terminal.note("Waiting for sign-in \(signIn.reference) …")
        let outcome = try await ReleasePrompt().outcome(of: signIn, with: client, whileWaiting: remedy.whileWaiting)
        _ = try? await signIn.end(with: client)
        guard outcome["token_response"] == nil else { return outcome }
        let error = outcome["error"]?.object ?? [:]
        let code = error["code"]?.string ?? "unknown"
        let description = error["description"]?.string.map { ": \($0.printable)" } ?? ""
        throw CommandError("the sign-in failed: \(code.printable)\(description)", hint: remedy.hint(for: code))
    }
}
