/// The bytes that a record counts against the quota; every store counts alike.
public enum KeptBytes {
    /// The bytes that a store spends on finding a record, and on remembering when it is due.
    private static let overhead = 96
    /// The reserve of an unfinished request for a parked and a held response, and then its outcome. It counts from the
    /// beginning on. So a callback of usual size finds its room, however full the rest is meanwhile (rules: a flood
    /// shuts nobody out).
    static let reserve = 4 << 10
    /// The proofs that are remembered with a request that needs them.
    private static let proofs = ProofUse.maximum * 32

    /// - Parameter packed: the length of ``RequestRecord/packed``.
    public static func of(_ record: RequestRecord, packed: Int) -> Int {
        var bytes = packed + overhead
        if !record.isFinished { bytes += max(0, reserve - brought(to: record)) }
        if record.proofKey != nil, !record.isTombstone { bytes += proofs }
        return bytes
    }

    /// At least as many bytes as its callbacks have made the packed record longer.
    private static func brought(to record: RequestRecord) -> Int {
        (record.callback == nil ? 0 : 48) + (record.claim == nil ? 0 : 32) + 20 * record.strayCodes.count
            + (record.parked.map { $0.sealed.count + 16 } ?? 0) + (record.held.map { $0.sealed.count + 16 } ?? 0)
    }
}
