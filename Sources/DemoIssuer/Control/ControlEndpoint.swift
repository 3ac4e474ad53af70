internal import SwitchyardHTTP
internal import SwitchyardJSON

/// The issuer's test interface, for what belongs to no single sign-in; see ``ControlRequest`` for its form.
struct ControlEndpoint: Sendable {
    let keys: SigningKeys
    let outage: Outage
    let clients: ClientRegistry
    let script: TokenScript
    let challenges: ClaimsChallenges
    let sessions: NativeSessions

    func respond(to request: Request) -> Response {
        // A page in a browser on this machine could post a form to loopback as well.
        guard request.field("origin") == nil else { return .text(.forbidden, "This is not for pages.") }
        do {
            // Everything is read before anything is done.
            let control = try ControlRequest(RequestParameters(request.body))
            if let change = control.keys { try keys.apply(change) }
            if let parts = control.outage { outage.set(parts) }
            if let clientID = control.clientID { clients.change(clientID, control.change) }
            if let (api, challenge) = control.challenge { challenges.set(challenge, of: api) }
            switch control.script {
            case .add(let entry):
                guard script.add(entry) else { return .text(.conflict, "The script is full.") }
            case .forget: script.forget(control.clientID)
            case nil: break
            }
            return .json(.ok, .object(answer(control)))
        } catch {
            return .text(.badRequest, "\(error)")
        }
    }

    private func answer(_ control: ControlRequest) -> JSONObject {
        var answer: JSONObject = ["current_kid": .string(keys.current.keyID)]
        if let mailbox = control.mailbox { answer["code"] = sessions.code(for: mailbox).map { .string($0) } ?? .null }
        if let user = control.signedUp, let clientID = control.clientID {
            let session = NativeSession(clientID: clientID, user: user, handlesSecondFactor: false, step: .ready)
            answer["continuation_token"] = .string(sessions.begin(session))
        }
        return answer
    }
}
