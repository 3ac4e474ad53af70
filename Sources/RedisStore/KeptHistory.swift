internal import SwitchyardPendingRequests
internal import SwitchyardRedis

/// A history as Redis has it: a field for each event, with when it came and how often, and one without a
/// name for the rest.
struct KeptHistory {
    private var fields: [(name: String, value: Substring)] = []
    private var meta: [Substring] = []

    init(_ answer: RedisValue) {
        let values = (answer.array ?? []).map { String(decoding: $0.bytes ?? [], as: UTF8.self) }
        for index in stride(from: 0, to: values.count - 1, by: 2) {
            if values[index].isEmpty {
                meta = Self.parts(values[index + 1][...], 4)
            } else {
                fields.append((values[index], values[index + 1][...]))
            }
        }
    }

    func timeline(at now: Timestamp) -> Timeline? {
        guard meta.count == 4, let room = Int(meta[0]).flatMap({ TimelineRoom(rawValue: $0) }),
            let created = Int64(meta[1]), now - Timestamp(milliseconds: created) < TimelineRoom.lifetime
        else { return nil }
        let entries = fields.compactMap { field -> (place: Int, entry: Timeline.Entry)? in
            let parts = Self.parts(field.value, 5)
            guard parts.count == 5, let first = Int64(parts[0]), let last = Int64(parts[1]), let count = Int(parts[2]),
                let place = Int(parts[3])
            else { return nil }
            let event = TimelineEvent(identity: field.name, particulars: String(parts[4]))
            let (begin, end) = (Timestamp(milliseconds: first), Timestamp(milliseconds: last))
            return (place, Timeline.Entry(event, first: begin, last: end, count: count))
        }
        return Timeline(
            app: String(meta[3]), room: room, entries: entries.sorted { $0.place < $1.place }.map(\.entry))
    }

    private static func parts(_ text: Substring, _ count: Int) -> [Substring] {
        text.split(separator: " ", maxSplits: count - 1, omittingEmptySubsequences: false)
    }
}
