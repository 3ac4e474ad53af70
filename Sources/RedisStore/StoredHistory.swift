internal import SwitchyardCrypto
internal import SwitchyardPendingRequests
internal import SwitchyardRedis

/// A history as Redis has it: parts, one behind the other, each with the events that one gateway collected in a second. To add
/// one, Redis need not look at the others; the reader counts what they have in common.
///
/// A part is `form (1) · whether it is in doubt (1) · time of its adding (8) · length (8) · packed events`.
struct StoredHistory {
    /// The first byte of each part. Where a key holds something else, no part is added.
    static let form: UInt8 = 1
    private static let headLength = 18

    private struct Part {
        let addedAt: Timestamp
        /// Whether it was given to Redis before, without an answer.
        let isInDoubt: Bool
        let timeline: Timeline
    }

    private var parts: [Part] = []
    /// The number of its bytes in Redis.
    private let size: Int
    /// Whether all bytes were understood.
    private var isWhole = false

    /// Reads parts until the first bytes that are no part. Events that a newer gateway has packed are left out.
    init(_ value: [UInt8]) {
        size = value.count
        var rest = value[...]
        var hasOtherForms = false
        while rest.count >= Self.headLength, rest.first == Self.form {
            let head = Array(rest.prefix(Self.headLength))
            rest = rest.dropFirst(Self.headLength)
            guard let length = Int(exactly: UInt64(head.span, at: 10)), length <= rest.count else { return }
            let addedAt = Timestamp(milliseconds: Int64(bitPattern: UInt64(head.span, at: 2)))
            if let timeline = try? Timeline(packed: Array(rest.prefix(length))) {
                parts.append(Part(addedAt: addedAt, isInDoubt: head[1] != 0, timeline: timeline))
            } else {
                hasOtherForms = true
            }
            rest = rest.dropFirst(length)
        }
        isWhole = rest.isEmpty && !hasOtherForms
    }

    /// The bytes of one part.
    static func part(_ timeline: Timeline, addedAt now: Timestamp, isInDoubt: Bool = false) -> [UInt8] {
        let packed = timeline.packed
        let head = [UInt8](upTo: headLength - 2) { head in
            UInt64(bitPattern: now.milliseconds).appendBytes(to: &head)
            UInt64(packed.count).appendBytes(to: &head)
        }
        return [form, isInDoubt ? 1 : 0] + head + packed
    }

    /// The whole history; nil once it is too old.
    func timeline(at now: Timestamp) -> Timeline? {
        guard let first = parts.first, now - first.addedAt < TimelineRoom.lifetime else { return nil }
        return whole
    }

    /// All parts in one. nil if that saves nothing, or would lose what a newer gateway has written.
    var joined: [UInt8]? {
        guard isWhole, let first = parts.first, let whole else { return nil }
        let joined = Self.part(whole, addedAt: first.addedAt)
        return joined.count < size ? joined : nil
    }

    private var whole: Timeline? {
        guard var whole = parts.first?.timeline else { return nil }
        for part in parts.dropFirst() { whole.add(part.timeline, isInDoubt: part.isInDoubt) }
        return whole
    }
}
