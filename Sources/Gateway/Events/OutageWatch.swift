internal import SwitchyardReactor
internal import SwitchyardRedemption

/// A part that can be out of order for a while, and recover.
struct OutageSubject: Hashable, Sendable {
    /// The issuer's name in the configuration.
    let issuer: String
    let endpoint: IssuerExchange.Endpoint
}

/// Picks the failures of a series that deserve a line: the first one, a new reason, one a minute, and the end. No
/// clock: the time is given.
struct OutageWatch: Sendable {
    /// How long something has failed, and how often.
    struct Extent: Equatable, Sendable {
        let duration: Duration
        let failures: Int
    }

    private struct Outage {
        let began: Instant
        var failures = 0
        /// The reasons that were reported.
        var reasons: Set<String> = []
        var nextReminder: Instant
    }

    /// The maximum of reasons that are reported, once each, while they alternate.
    private static let maximumReasons = 8
    private static let reminder = Duration.seconds(60)

    private var outages: [OutageSubject: Outage] = [:]

    /// - Parameter reason: from a short list.
    /// - Returns: nil without news.
    mutating func failed(_ subject: OutageSubject, because reason: String, at now: Instant) -> Extent? {
        var outage = outages[subject] ?? Outage(began: now, nextReminder: now)
        outage.failures += 1
        defer { outages[subject] = outage }
        let isNew = outage.reasons.count < Self.maximumReasons && outage.reasons.insert(reason).inserted
        guard isNew || now >= outage.nextReminder else { return nil }
        outage.nextReminder = now + Self.reminder
        return Extent(duration: now - outage.began, failures: outage.failures)
    }

    /// - Returns: the outage that this ends; nil without one.
    mutating func worked(_ subject: OutageSubject, at now: Instant) -> Extent? {
        guard let outage = outages.removeValue(forKey: subject) else { return nil }
        return Extent(duration: now - outage.began, failures: outage.failures)
    }
}
