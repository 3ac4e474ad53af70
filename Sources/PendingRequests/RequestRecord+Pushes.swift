internal import SwitchyardCrypto

extension RequestRecord {
    /// How often the request was pushed to its issuer (RFC 9126), and the issuer's latest answer.
    public struct Pushes: Hashable, Sendable {
        /// The pushes that were begun, without those that brought no answer.
        public internal(set) var count: Int
        /// The reference that the issuer gave last, sealed for this id; empty before the first.
        public internal(set) var sealed: [UInt8]
        /// When that reference lapses.
        public internal(set) var until: Timestamp

        /// The most pushes of one request.
        public static let maximum = 5
    }

    /// A step of one push.
    public enum PushStep: Hashable, Sendable {
        /// It is about to be sent.
        case begun
        /// The issuer gave a reference.
        case accepted(sealed: [UInt8], until: Timestamp)
        /// The issuer did not answer, so it does not count.
        case unanswered
    }

    mutating func push(_ step: PushStep) throws(RequestTransition.Refusal) {
        guard case .pending = phase, !isDelivery else { throw .notNow }
        var pushes = self.pushes ?? Pushes(count: 0, sealed: [], until: createdAt)
        switch step {
        case .begun:
            guard pushes.count < Pushes.maximum else { throw .repeated }
            pushes.count += 1
        case .accepted(let sealed, let until):
            (pushes.sealed, pushes.until) = (sealed, max(until, createdAt))
        case .unanswered:
            pushes.count = max(0, pushes.count - 1)
        }
        self.pushes = pushes.count == 0 && pushes.sealed.isEmpty ? nil : pushes
    }
}
