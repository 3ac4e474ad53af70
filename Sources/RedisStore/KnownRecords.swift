internal import SwitchyardPendingRequests

/// The last state of some requests that a loop has seen. It may be outdated, so each write depends on the condition
/// that it is not.
struct KnownRecords {
    private static let maximum = 512

    private var entries: [RequestID: Kept] = [:]
    /// In the order in which they came; some are gone already.
    private var order: [RequestID] = []
    private var next = 0

    subscript(id: RequestID) -> Kept? { entries[id] }

    mutating func note(_ kept: Kept) {
        let id = kept.record.id
        // It takes no more steps.
        if kept.record.isTombstone { return forget(id) }
        if entries.updateValue(kept, forKey: id) != nil { return }
        if order.count < Self.maximum {
            order.append(id)
        } else {
            entries[order[next]] = nil
            order[next] = id
            next = (next + 1) % Self.maximum
        }
    }

    mutating func forget(_ id: RequestID) { entries[id] = nil }
}
