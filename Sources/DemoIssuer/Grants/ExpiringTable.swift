internal import SwitchyardReactor

/// Values that all live equally long, at most a certain number of them: the oldest goes first.
struct ExpiringTable<Value> {
    private struct Entry {
        var value: Value
        let expiry: Instant
    }

    private var entries: [String: Entry] = [:]
    /// Keys in the order of their expiry, from `head` on; taken ones stay in here until their time.
    private var order: [(key: String, expiry: Instant)] = []
    private var head = 0
    private let lifetime: Duration
    private let capacity: Int

    init(lifetime: Duration, capacity: Int) {
        self.lifetime = lifetime
        self.capacity = capacity
    }

    mutating func insert(_ value: Value, for key: String, at now: Instant) {
        dropOldest(at: now)
        let expiry = now + lifetime
        entries[key] = Entry(value: value, expiry: expiry)
        order.append((key, expiry))
    }

    func value(for key: String, at now: Instant) -> Value? {
        guard let entry = entries[key], entry.expiry > now else { return nil }
        return entry.value
    }

    /// Hands out the value and puts in its place what `successor` makes of it; nil removes it. Its expiry stays.
    mutating func take(_ key: String, at now: Instant, leaving successor: (Value) -> Value?) -> Value? {
        guard let entry = entries[key], entry.expiry > now else { return nil }
        entries[key] = successor(entry.value).map { Entry(value: $0, expiry: entry.expiry) }
        return entry.value
    }

    private mutating func dropOldest(at now: Instant) {
        while head < order.count, order[head].expiry <= now || order.count - head >= capacity {
            entries[order[head].key] = nil
            head += 1
        }
        // Now and then, so that the cost of moving is spread over many insertions.
        if head > 1024, head > order.count / 2 {
            order.removeFirst(head)
            head = 0
        }
    }
}
