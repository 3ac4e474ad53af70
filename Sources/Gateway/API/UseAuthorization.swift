internal import Glibc
internal import SwitchyardConfiguration
internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardReactor
internal import SwitchyardRouting

/// Checks whether a program may have an app's tokens from its user's agent (`use_from`). It is checked at each call that
/// leads to tokens: a call for kept tokens, the begin of a sign-in, the calls on its request, and the use of a refresh token
/// with the app's authentication. A gateway without an agent has no such lists, so there every caller may.
struct UseAuthorization: Sendable {
    let exchange: Exchange

    /// The source of the tokens that a program asks for.
    enum Way {
        /// Tokens that the agent keeps.
        case keptTokens
        /// A sign-in or a refresh token of the program's own. If the agent keeps no tokens (an empty list), the app
        /// itself has them, and the list does not guard them.
        case ownTokens
    }

    /// - Throws: 403 `access_denied`, with the program's identity.
    func check(_ app: AppRegistration, _ way: Way) throws(APIError) {
        guard let agent = exchange.core.agent else { return }
        if way == .keptTokens, let unknown = agent.unknownLists(for: app) {
            throw APIError(
                .forbidden, "access_denied",
                "the use_from lists in \(unknown.file) are unknown, and one may guard these tokens: \(unknown.reason)"
            ).noted(.useRefused(app: app.id, program: "any, while \(unknown.file) cannot be read"))
        }
        try check(app, by: agent.lists(for: app), way, agent)
    }

    /// The same for tokens whose resource is known by its metadata. It may be above the one that was asked for.
    func check(_ app: AppRegistration, of resource: ResourceURL, _ way: Way) throws(APIError) {
        guard let agent = exchange.core.agent else { return }
        try check(app, by: agent.lists(of: resource), way, agent)
    }

    private func check(
        _ app: AppRegistration, by lists: [UseFrom], _ way: Way, _ agent: any LocalAgent
    ) throws(APIError) {
        let lists = lists.filter { way == .keptTokens || !$0.isNobody }
        guard !lists.isEmpty else { return }
        try Self.checkUser(exchange.caller)
        guard let refusal = agent.refusal(of: exchange.request.connection.peerProcess, by: lists) else { return }
        throw APIError(
            .forbidden, "access_denied",
            "the use_from of the app, or of an app with the same tokens, does not let this program "
                + "(\(refusal.program)): \(refusal.reason)"
        ).noted(.useRefused(app: app.id, program: refusal.program))
    }

    /// Checks the caller's user. Only the kernel's word counts.
    static func checkUser(_ caller: Caller) throws(APIError) {
        guard let uid = caller.uid, uid == geteuid() else {
            throw APIError(
                .forbidden, "access_denied", "the agent has tokens for programs of its own user only, on its socket")
        }
    }
}
