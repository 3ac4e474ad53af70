internal import SwitchyardDemoIssuer
internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import Synchronization

/// The issuer's test interface, for what belongs to no single sign-in; see ``ControlRequest`` for its form.
struct ControlEndpoint: Sendable {
    let issuer: DemoIssuer
    let keys: TestKeys
    let outage: Outage
    let sessions: NativeSessions
    let script: TokenScript

    func respond(to request: Request) -> Response {
        // A page in a browser on this machine could post a form to loopback as well.
        guard request.field("origin") == nil else { return .text(.forbidden, "This is not for pages.") }
        do {
            // Everything is read before anything is done.
            let control = try ControlRequest(RequestParameters(request.body))
            if let change = control.keys { try keys.apply(change) }
            if let parts = control.outage { outage.set(parts) }
            if let clientID = control.clientID { issuer.clients.change(clientID, control.change) }
            if let (api, challenge) = control.challenge { issuer.challenges.set(challenge, of: api) }
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
        var answer: JSONObject = ["current_kid": .string(keys.currentID)]
        if let mailbox = control.mailbox {
            answer["code"] = sessions.code(for: mailbox).map { .string($0) } ?? .null
        }
        if let user = control.signedUp, let clientID = control.clientID {
            answer["continuation_token"] = .string(sessions.beginReady(clientID: clientID, user: user))
        }
        return answer
    }
}

/// The endpoints that are out of reach for now. Safe from any thread.
final class Outage: Sendable {
    /// The parts that can be made unreachable, by their names in the test interface.
    enum Part: String, CaseIterable, Sendable {
        case discovery, jwks, authorization, token, revocation, userinfo, api, native

        init?(_ endpoint: Endpoint) {
            switch endpoint {
            case .discovery: self = .discovery
            case .jwks: self = .jwks
            case .authorization: self = .authorization
            case .token: self = .token
            case .revocation: self = .revocation
            case .userInfo: self = .userinfo
            case .api: self = .api
            case .consent: return nil
            }
        }
    }

    private let parts = Mutex<Set<Part>>([])

    func contains(_ part: Part?) -> Bool {
        guard let part else { return false }
        return parts.withLock { $0.contains(part) }
    }

    /// From now on these, and no others.
    func set(_ parts: Set<Part>) {
        self.parts.withLock { $0 = parts }
    }
}
