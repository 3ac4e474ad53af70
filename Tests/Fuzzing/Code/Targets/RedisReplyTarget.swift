import SwitchyardCrypto
import SwitchyardPendingRequests
import SwitchyardReactor
import SwitchyardRouting

@testable import SwitchyardGateway
@testable import SwitchyardRedis
@testable import SwitchyardRedisStore

/// A Redis server's bytes, through all readers of replies. A writer there, or a false server, chooses all of them; only
/// the signatures of records protect.
enum RedisReplyTarget {
    private static let keys = KeyRing.ephemeral()
    private static let node = RedisAddress(host: "10.0.0.1", port: 6379)
    private static let now = Timestamp(milliseconds: 1_800_000_000_000)

    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let (values, isWell) = read(bytes, inPiecesOf: max(1, bytes.count))
        let pieces = read(bytes, inPiecesOf: 1)
        try require(values == pieces.values && isWell == pieces.isWell, "pieces give what the whole gives")
        for value in values {
            try checkCluster(value)
            checkSentinels(value)
            try checkRecord(value)
            try checkHistory(value)
            try checkCounts(value)
        }
    }

    /// The answers before the first malformed one.
    private static func read(_ bytes: [UInt8], inPiecesOf size: Int) -> (values: [RedisValue], isWell: Bool) {
        guard var reader = ReplyReader() else { return ([], false) }
        var values: [RedisValue] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = Array(bytes[start..<min(start + size, bytes.count)])
            reader.feed(piece, count: piece.count)
            do throws(ReplyReader.Malformed) {
                while let value = try reader.next() { values.append(value) }
            } catch {
                return (values, false)
            }
        }
        return (values, true)
    }

    private static func checkCluster(_ value: RedisValue) throws(BrokenInvariant) {
        var router = ClusterRouter(seeds: [node])
        var attempt = ClusterRouter.Attempt(slot: 5)
        _ = router.judge(.success(value), from: node, &attempt)
        _ = router.step(for: attempt)
        guard let topology = ClusterTopology(value, from: node) else { return }
        var isComplete = true
        for slot in 0..<HashSlot.count {
            let primary = topology.primary(ofSlot: slot)
            isComplete = isComplete && primary != nil
            try require(primary.map(topology.primaries.contains) ?? true, "who serves a slot is a primary")
        }
        try require(topology.isComplete == isComplete, "a whole cluster serves each slot")
        router.found(topology, at: .now())
    }

    private static func checkSentinels(_ value: RedisValue) {
        var resolver = SentinelResolver(sentinels: [node], name: "main")
        resolver.sentinelAnswered(value)
        if case .verify(let server) = resolver.step { resolver.serverAnswered(value, server) }
        if let bytes = value.bytes { _ = resolver.announced(bytes) }
        _ = ServerReview.warnings(information: value.text ?? "", .policy(value.array?.last?.text ?? ""))
        let listener = ChangeListener(sender: "sender", KnownRecords())
        listener.follow({ _ in }, {})
        listener.followWrongProofs({ _ in }, reload: {})
        listener.hear(value.bytes ?? [])
    }

    private static func checkRecord(_ value: RedisValue) throws(BrokenInvariant) {
        guard let bytes = value.bytes else { return }
        try require((try? StoredRecord(value: bytes, keys: keys)) == nil, "nobody makes a record without the keys")
        let signed = [UInt8](repeating: 1, count: 8) + [128] + keys.signing(bytes)
        guard let kept = try? StoredRecord(value: signed, keys: keys) else { return }
        // A signed record of a newer or a faulty gateway is counted and aged.
        var aged = kept.record
        try? aged.apply(.age, at: aged.dueAt)
        let after = StoredRecord(aged, version: 2, keys: keys)
        let change = CountChange(
            from: CountedRecord(kept), to: CountedRecord(after),
            .insertion(
                of: aged, within: RequestQuota(total: 1, perApp: 1, perAddress: 1, bytes: 1, bytesPerAddress: 1)))
        var arguments = RedisArguments()
        change.append(to: &arguments, at: 0)
        change.reversed.append(to: &arguments, at: 0)
        try require((try? StoredRecord(value: after.value, keys: keys))?.record == aged, "what is written reads back")
    }

    private static func checkHistory(_ value: RedisValue) throws(BrokenInvariant) {
        let reference = Reference()
        let history = StoredHistory(value.bytes ?? [])
        guard let timeline = history.timeline(at: now) else { return }
        let joined = history.joined.flatMap { StoredHistory($0).timeline(at: now) }
        try require(joined == timeline, "parts that are joined say the same")
        try require(timeline.entries.count <= Timeline.maximumEntries, "a history is bounded")
        // Notes of the events that are there already, and of a new one.
        let events = timeline.entries.map(\.event) + [TimelineEvent("begun")]
        let notes = events.map { TimelineNote(of: reference, app: "app", at: now, $0) }
        let longer = timeline.with(notes).with(notes)
        try require((try? Timeline(packed: longer.packed)) == longer, "a history reads back")
        _ = SignInReport(reference, longer) { _ in nil }.json
    }

    private static func checkCounts(_ value: RedisValue) throws(BrokenInvariant) {
        if let usage = try? StoreUsage(count: value) {
            try require(usage.pending >= 0 && usage.requests >= 0 && usage.bytes >= 0, "a count is not below zero")
            _ = usage.requests - usage.pending
        }
        guard let full = value.integer else { return }
        let counted = CountedRecord(StoredRecord(record, version: 1, keys: keys))
        let change = CountChange(from: nil, to: counted, CountLimits(total: 1))
        _ = change.refusal(full)
    }

    private static let record: RequestRecord = {
        let state = SHA256Digest(of: "state")
        guard let app = AppID("app") else { preconditionFailure("\"app\" is the id of an app") }
        return RequestRecord(
            id: RequestID(for: state), reference: Reference(), app: app, registration: state,
            redirectURI: "https://login.example/cb", completion: .tokens, scope: "", hostLabel: nil,
            beginner: .init(callerKey: "192.0.2.1", uid: nil, isAuthenticated: false), stateHash: state,
            resultTokenHash: state, createdAt: now, expiresAt: now, sealedSecrets: [])
    }()
}
