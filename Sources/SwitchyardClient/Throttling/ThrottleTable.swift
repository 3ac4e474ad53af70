internal import SwitchyardCrypto

/// Which silent requests have just failed, and for how long they are not sent again. No clock of its own.
struct ThrottleTable<Failure: Sendable>: Sendable {
    /// The reason why a request is held back.
    enum Reason: Sendable {
        /// The server asked for patience: for so many seconds, or as long as is usual.
        case serverBusy(retryAfter: Int?)
        /// The person must sign in.
        case interactionRequired
    }

    private struct Record {
        let failure: Failure
        let until: UnixTime
        /// The account with which a successful sign-in ends it early; nil if it concerns no account.
        let account: AccountKey?
        var lastUse: Int
    }

    private var records: [SHA256Digest: Record] = [:]
    private var uses = 0

    static var maximumRecords: Int { 1000 }
    /// In seconds.
    static var standardPatience: Int64 { 60 }
    static var maximumPatience: Int64 { 3600 }
    static var interactionPatience: Int64 { 120 }

    /// The failure that a request had a moment ago; nil when it may be sent.
    mutating func failure(of request: SHA256Digest, at now: UnixTime) -> Failure? {
        guard var record = records[request] else { return nil }
        guard now < record.until else {
            records[request] = nil
            return nil
        }
        uses += 1
        record.lastUse = uses
        records[request] = record
        return record.failure
    }

    mutating func note(
        _ failure: Failure, of request: SHA256Digest, _ reason: Reason, account: AccountKey, at now: UnixTime
    ) {
        if records[request] == nil, records.count >= Self.maximumRecords { makeRoom(at: now) }
        uses += 1
        switch reason {
        case .serverBusy(let retryAfter):
            let seconds = min(max(Int64(retryAfter ?? Int(Self.standardPatience)), 0), Self.maximumPatience)
            records[request] = Record(
                failure: failure, until: now.advanced(bySeconds: seconds), account: nil, lastUse: uses)
        case .interactionRequired:
            records[request] = Record(
                failure: failure, until: now.advanced(bySeconds: Self.interactionPatience), account: account,
                lastUse: uses)
        }
    }

    /// The person has signed in: what only waited for that may be tried again.
    mutating func interactionSucceeded(for account: AccountKey) {
        records = records.filter { $0.value.account != account }
    }

    private mutating func makeRoom(at now: UnixTime) {
        records = records.filter { now < $0.value.until }
        guard records.count >= Self.maximumRecords,
            let oldest = records.min(by: { $0.value.lastUse < $1.value.lastUse })
        else { return }
        records[oldest.key] = nil
    }
}
