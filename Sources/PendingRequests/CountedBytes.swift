internal import SwitchyardRouting

/// The bytes that a record counts against the quota; every store counts alike.
///
/// The usual steps between begin and end do not change this number, so a store changes a count at the begin, the end, and when
/// the answer goes.
public enum CountedBytes {
    /// The bytes that a store spends on finding a record, and on remembering when it is due.
    private static let overhead = 96
    /// The bytes of an unfinished record without its texts and its callback, at the most.
    private static let fixed = 224
    /// The reserve of an unfinished request for a parked and a held response, and then its outcome. It counts from the
    /// beginning on. So a callback of usual size finds its room, however full the rest is meanwhile (rules: a flood
    /// shuts nobody out).
    static let reserve = 4 << 10
    /// The bytes of the used proofs of possession that a store remembers with a request.
    private static let proofs = OneTimeUse.maximum * 32
    /// A record with an outcome counts in steps of so many bytes, because reading it changes a few.
    private static let step = 64

    /// - Parameter packed: the length of ``RequestRecord/packed``.
    public static func of(_ record: RequestRecord, packed: Int) -> Int {
        guard !record.isTombstone else { return packed + overhead }
        let bytes =
            record.isFinished
            ? (packed + step - 1) / step * step : fixed + begun(by: record) + max(reserve, brought(to: record))
        return bytes + overhead + (record.proofKey == nil ? 0 : proofs)
    }

    /// The texts and secrets that a request has from its beginning to its end.
    private static func begun(by record: RequestRecord) -> Int {
        let beginner = record.beginner
        return record.app.text.utf8.count + record.redirectURI.utf8.count + record.scope.utf8.count
            + (record.hostLabel?.utf8.count ?? 0) + (beginner.callerKey?.utf8.count ?? 0)
            + (beginner.address == beginner.callerKey ? 0 : beginner.address?.utf8.count ?? 0)
            + record.sealedSecrets.count
    }

    /// The bytes that its callbacks and its pushes have brought, at the least.
    private static func brought(to record: RequestRecord) -> Int {
        96 + 20 * record.strayCodes.count + (record.parked.map { $0.sealed.count + 16 } ?? 0)
            + (record.held.map { $0.sealed.count + 16 } ?? 0) + (record.pushes?.sealed.count ?? 0)
    }
}
