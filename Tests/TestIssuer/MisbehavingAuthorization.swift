internal import SwitchyardCrypto
internal import SwitchyardDemoIssuer
internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardReactor
internal import Synchronization

/// The honest issuer's authorization endpoint, with the changes to its answers that the request asks for.
struct MisbehavingAuthorization: Sendable {
    let issuer: DemoIssuer
    let keys: TestKeys
    let wishes: SignInWishes
    let statistics: Statistics

    /// - Parameter isDecision: whether it is the consent page that speaks.
    func respond(to request: Request, at address: IssuerAddress, isDecision: Bool) -> Response {
        var misbehaviors = Misbehaviors()
        let outcome = issuer.authorization.outcome(of: request, at: address) { authentication in
            let asked = Misbehaviors(parameter: authentication.parameters["demo"], scopes: authentication.scopes.names)
            guard let asked else { return .refuse(Self.unknownName) }
            misbehaviors = asked
            if isDecision { return issuer.authorization.decision(onPage: authentication) }
            if asked.authorization.contains(.deny) { return .refuse(.accessDenied) }
            if asked.authorization.contains(.cancel) { return .refuse(Self.canceled) }
            if asked.authorization.contains(.auto) { return .grant(DemoUser(named: authentication.loginHint)) }
            return issuer.authorization.decision(on: authentication)
        }
        switch outcome {
        case .page(let page): return page
        case .answer(var answer):
            if let code = answer.code {
                statistics.count(.codesIssued)
                wishes.remember(misbehaviors, of: code)
            }
            misbehaviors.authorization.apply(to: &answer.parameters)
            return AuthorizationEndpoint.send(answer, after: request) { () throws(DemoIssuerError) in
                answer.isSigned ? try content(answer, misbehaviors.signedResponse) : answer.parameters
            }
        }
    }

    private func content(
        _ answer: AuthorizationAnswer, _ misbehaviors: Set<SignedResponseMisbehavior>
    ) throws(DemoIssuerError) -> [(String, String)] {
        if misbehaviors.contains(.plain) { return answer.parameters }
        if misbehaviors.contains(.encrypted) { return [("response", Self.encryptedLooking())] }
        var claims = answer.claims
        for misbehavior in misbehaviors { misbehavior.apply(to: &claims) }
        let manner = misbehaviors.lazy.compactMap(\.signature).first ?? .honest
        return [("response", try keys.sign(claims, manner))]
    }

    /// The shape of a JWE in compact serialization (RFC 7516 section 3.1), without content.
    private static func encryptedLooking() -> String {
        let header = Base64URL.encode(Array(#"{"alg":"ECDH-ES","enc":"A256GCM"}"#.utf8))
        // The key that ECDH-ES agrees on is not sent, so that part is empty.
        let parts = [
            header, "", Random.token(byteCount: 12), Random.token(byteCount: 256), Random.token(byteCount: 16),
        ]
        return parts.joined(separator: ".")
    }

    private static let unknownName = AuthorizationRefusal(
        error: "invalid_request", description: "The parameter demo, or a scope demo:, has an unknown name.")
    private static let canceled = AuthorizationRefusal(
        error: "access_denied", description: "The user has canceled the request.", subcode: "cancel")
}

/// The misbehaviors that each code's sign-in asked for, while the code may live. Safe from any thread.
final class SignInWishes: Sendable {
    private let table = Mutex(ExpiringTable<Misbehaviors>(lifetime: .seconds(60), capacity: 100_000))

    func remember(_ misbehaviors: Misbehaviors, of code: String) {
        let now = Instant.now()
        table.withLock { $0.insert(misbehaviors, for: code, at: now) }
    }

    /// The misbehaviors that this code's sign-in asked for. A failure that happens once is returned once.
    func take(_ code: String) -> Misbehaviors {
        let now = Instant.now()
        let found = table.withLock { table in
            table.take(code, at: now) { misbehaviors in
                var next = misbehaviors
                next.tokenAnswer.remove(.flaky)
                return next
            }
        }
        return found ?? Misbehaviors()
    }
}
