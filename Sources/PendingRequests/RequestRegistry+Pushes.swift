internal import SwitchyardCrypto
public import SwitchyardOAuth

/// Requests that are pushed to their issuer before the browser goes there (RFC 9126).
extension RequestRegistry {
    /// Whether a request may be pushed now.
    public enum PushPermit: Sendable {
        /// It may; the caller must tell with ``pushed(_:_:)`` or ``pushBroughtNoAnswer(_:)`` what became of it.
        case granted(RequestRecord)
        /// It was pushed as often as it may be. The last reference stands, unless it has lapsed.
        case exhausted(PushedRequest?)
        /// It no longer waits for its callback.
        case over
    }

    /// Takes one of the pushes that a request may make. Several callers at once get no more than that together.
    public func permitPush(_ record: RequestRecord) async throws(StoreError) -> PushPermit {
        switch try await applyQuietly(.push(.begun), to: record.id) {
        case .success(let current): return .granted(current)
        case .failure(.repeated):
            guard let current = try await find(.id(record.id)) else { return .over }
            return .exhausted(lastPush(of: current))
        case .failure: return .over
        }
    }

    /// Keeps the issuer's answer to a push.
    public func pushed(_ pushed: PushedRequest, _ record: RequestRecord) async throws(StoreError) {
        let (sealed, until) = sealed(pushed, record.id)
        _ = try await applyQuietly(.push(.accepted(sealed: sealed, until: until)), to: record.id)
    }

    /// The issuer did not answer, so the push does not count.
    public func pushBroughtNoAnswer(_ record: RequestRecord) async throws(StoreError) {
        _ = try await applyQuietly(.push(.unanswered), to: record.id)
    }

    /// Ends a request that the issuer has refused before any browser went there.
    /// - Parameter answer: the body that the app gets.
    public func refusePush(
        _ record: RequestRecord, _ code: SignInFailure.Code, answer: [UInt8], report: @escaping Report
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal> {
        try await apply(.refusePush(outcome(record, .failed(code), answer)), to: record.id, report: report)
    }

    /// The reference that the issuer gave last; nil once it has lapsed.
    private func lastPush(of record: RequestRecord) -> PushedRequest? {
        guard let pushes = record.pushes, pushes.until > clock(),
            let uri = open(pushes.sealed, Self.sealName, of: record)
        else { return nil }
        let seconds = (pushes.until.milliseconds - clock().milliseconds) / 1000
        return PushedRequest(requestURI: String(decoding: uri, as: UTF8.self), lifetime: max(1, seconds))
    }

    /// The field that the reference is sealed as.
    private static let sealName = "push"

    func sealed(_ pushed: PushedRequest, _ id: RequestID) -> (sealed: [UInt8], until: Timestamp) {
        let sealed = policy.keys.seal(Array(pushed.requestURI.utf8), context: "\(Self.sealName) \(id)")
        return (sealed, clock() + .seconds(pushed.lifetime))
    }
}
