public import SwitchyardCrypto
public import SwitchyardReactor
internal import Synchronization

/// The callbacks that were handed over within the last while: an identical one is not handed over twice, and the browser that
/// brought it can be told what came of it. In memory, with room for so many. Safe from any thread.
public final class DeliveryLedger: Sendable {
    /// What came of a callback.
    public enum Outcome: Hashable, Sendable {
        case underWay
        /// An app has it.
        case taken
        /// No handler took it; the same callback may be tried again.
        case notTaken
        /// No handler took it, and it went on to what stands behind them, which knows an identical one again.
        case leftToLast
    }

    public struct Entry: Sendable {
        public let reference: String
        /// The app's id.
        public let app: String
        /// Of the secret that the browser which brought it got; nil where a program did.
        public let browser: SHA256Digest?
        public internal(set) var outcome = Outcome.underWay
        let fingerprint: SHA256Digest
        let caller: String
        let end: Instant
    }

    public enum Answer: Sendable {
        /// It is the caller's to hand over now.
        case new
        /// The same one came before.
        case repeated(Entry)
        /// Another one is known by the reference: it takes another.
        case referenceInUse
        /// There is no room.
        case full(Limit)
    }

    /// What there is no room in.
    public enum Limit: Hashable, Sendable {
        case total, perApp, perAddress
    }

    /// How much there is room for: remembered ones, and those on their way at the same time.
    public struct Room: Sendable {
        public var total: Int
        public var perApp: Int
        public var perAddress: Int

        public init(total: Int, perApp: Int, perAddress: Int) {
            self.total = total
            self.perApp = perApp
            self.perAddress = perAddress
        }
    }

    /// Of those on their way: each has its callback in memory, a task and perhaps a program.
    public static let underWay = Room(total: 512, perApp: 128, perAddress: 32)

    private struct Counts {
        var (total, byApp, byCaller) = (0, [String: Int](), [String: Int]())

        mutating func add(_ entry: Entry) {
            total += 1
            byApp[entry.app, default: 0] += 1
            byCaller[entry.caller, default: 0] += 1
        }

        mutating func remove(_ entry: Entry) {
            total -= 1
            byApp[entry.app] = byApp[entry.app].flatMap { $0 > 1 ? $0 - 1 : nil }
            byCaller[entry.caller] = byCaller[entry.caller].flatMap { $0 > 1 ? $0 - 1 : nil }
        }

        func limit(_ app: String, _ caller: String, _ room: Room) -> Limit? {
            if byCaller[caller, default: 0] >= room.perAddress { return .perAddress }
            if byApp[app, default: 0] >= room.perApp { return .perApp }
            return total >= room.total ? .total : nil
        }
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// Those that are not to be handed over again.
        var references: [SHA256Digest: String] = [:]
        /// In the order of their ends, nearly.
        var queue: [String] = []
        var first = 0
        var kept = Counts()
        var moving = Counts()
    }

    private let state = Mutex(State())

    public init() {}

    /// Takes note of a callback that came. One that was not taken gives its reference to the next.
    /// - Parameters:
    ///   - fingerprint: of everything that it says, and of where it came.
    ///   - caller: who brought it, as limits count.
    ///   - end: until when it is remembered.
    public func begin(
        _ fingerprint: SHA256Digest, reference: String, app: String, browser: SHA256Digest?, caller: String,
        until end: Instant, now: Instant, room: Room
    ) -> Answer {
        state.withLock { state in
            Self.forget(until: now, in: &state)
            if let known = state.references[fingerprint].flatMap({ state.entries[$0] }) { return .repeated(known) }
            if let old = state.entries[reference] {
                guard old.outcome == .notTaken else { return .referenceInUse }
                state.kept.remove(old)
            }
            if let limit = state.moving.limit(app, caller, Self.underWay) ?? state.kept.limit(app, caller, room) {
                return .full(limit)
            }
            let entry = Entry(
                reference: reference, app: app, browser: browser, fingerprint: fingerprint, caller: caller, end: end)
            state.entries[reference] = entry
            state.references[fingerprint] = reference
            state.queue.append(reference)
            state.kept.add(entry)
            state.moving.add(entry)
            return .new
        }
    }

    /// Says what came of a callback that was new. What was left to the last may turn out not to be taken; nothing else changes
    /// any more.
    public func end(_ reference: String, _ outcome: Outcome) {
        state.withLock { state in
            guard let entry = state.entries[reference], outcome != .underWay else { return }
            switch entry.outcome {
            case .underWay: state.moving.remove(entry)
            case .leftToLast where outcome == .notTaken: break
            case .leftToLast, .taken, .notTaken: return
            }
            state.entries[reference]?.outcome = outcome
            if outcome == .notTaken { Self.release(entry, in: &state) }
        }
    }

    /// A callback that was new here is none of ours, and leaves no trace.
    public func forget(_ reference: String) {
        state.withLock { state in
            guard let entry = state.entries.removeValue(forKey: reference) else { return }
            if entry.outcome == .underWay { state.moving.remove(entry) }
            state.kept.remove(entry)
            Self.release(entry, in: &state)
        }
    }

    /// The same callback may be handed over again.
    private static func release(_ entry: Entry, in state: inout State) {
        if state.references[entry.fingerprint] == entry.reference { state.references[entry.fingerprint] = nil }
    }

    public func entry(_ reference: String, now: Instant) -> Entry? {
        state.withLock { $0.entries[reference] }.flatMap { $0.end > now ? $0 : nil }
    }

    /// Those whose time is over. What is still on its way is waited for: it ends by its own end.
    private static func forget(until now: Instant, in state: inout State) {
        while state.first < state.queue.count {
            if let entry = state.entries[state.queue[state.first]] {
                guard entry.end <= now, entry.outcome != .underWay else { break }
                state.entries[entry.reference] = nil
                release(entry, in: &state)
                state.kept.remove(entry)
            }
            state.first += 1
        }
        guard state.first > 1024, state.first * 2 > state.queue.count else { return }
        state.queue.removeFirst(state.first)
        state.first = 0
    }
}
