/// A callback on its way to an app's server. The store has it, so it outlives the gateway that tries.
///
/// It is a record like that of a request, with a redirect URI that no app can have. While a gateway tries, the record is
/// `redeeming`, with that gateway's lease. When the lease ends, time makes it `pending` again: the record is left, and each
/// gateway that sees it so may claim it.
extension RequestRecord {
    /// The target of a delivery. It has no scheme, so no app can have it as a redirect URI.
    static let deliveryTarget = "delivery"
    private static let deliveryDigest = Target.uri(deliveryTarget).digest
    /// The time in which a gateway must claim a delivery that it was shown, before another gateway is shown it.
    static let claimTime = Duration.seconds(5)

    /// Whether this is a callback on its way to an app's server.
    public var isDelivery: Bool {
        switch target {
        case .uri(let text): text == Self.deliveryTarget
        case .digest(let digest): digest == Self.deliveryDigest
        }
    }

    /// Whether no gateway tries, and one must claim it.
    public var isLeft: Bool {
        guard isDelivery, case .pending = phase else { return false }
        return true
    }

    /// The time in which the gateway that was shown the delivery may claim it, as a record has it.
    static func claimTime(from now: Timestamp) -> Parked { Parked(sealed: [0], until: now + claimTime) }

    /// Applies time to a delivery.
    /// - Returns: false if it ages like a request.
    mutating func ageDelivery(at now: Timestamp) -> Bool {
        switch phase {
        case .redeeming(let claim) where now >= claim.lease:
            guard now < expiresAt else {
                expire(at: now)
                return true
            }
            (phase, callback, release) = (.pending, nil, nil)
            parked = Self.claimTime(from: now)
            return true
        case .pending where now < expiresAt && parked == nil:
            parked = Self.claimTime(from: now)
            return true
        case .pending, .claimed, .releaseRequired, .redeeming, .finished: return false
        }
    }
}
