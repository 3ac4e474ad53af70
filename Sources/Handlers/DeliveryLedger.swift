public import SwitchyardCrypto
public import SwitchyardPendingRequests
public import SwitchyardReactor
public import SwitchyardRouting
internal import Synchronization

/// The callbacks that were handed over lately. An identical one is not handed over twice, and the browser that brought
/// it can see its outcome. In memory, with a limit. Safe from any thread.
public final class DeliveryLedger: Sendable {
    /// The outcome of a callback.
    public enum Outcome: Hashable, Sendable {
        case underWay
        /// An app has it.
        case taken
        /// No handler took it; the same callback may be tried again.
        case notTaken
        /// No handler took it, and it went to the last handler, which recognizes an identical one.
        case leftToLast
    }

    public struct Entry: Sendable {
        public let reference: Reference
        public let app: AppID
        /// The digest of the secret that the bringing browser got; nil if a program brought it.
        public let browser: SHA256Digest?
        public internal(set) var outcome = Outcome.underWay
        let fingerprint: SHA256Digest
        let caller: String
        let network: String
        let end: Instant
    }

    public enum Admission: Sendable {
        /// It is the caller's to hand over now.
        case new
        /// The same one came before.
        case repeated(Entry)
        /// Another one is known by the reference: it takes another.
        case referenceInUse
        /// There is no room.
        case full(Limit)
    }

    /// The limit that has no room.
    public enum Limit: Hashable, Sendable {
        case total, perApp, perAddress, perNetwork
    }

    /// How many there may be: remembered ones, and those on their way at the same time.
    public struct Capacity: Sendable {
        public var total: Int
        public var perApp: Int
        public var perAddress: Int
        public var perNetwork: Int

        public init(total: Int, perApp: Int, perAddress: Int, perNetwork: Int = .max) {
            self.total = total
            self.perApp = perApp
            self.perAddress = perAddress
            self.perNetwork = perNetwork
        }
    }

    /// The limits of callbacks on their way, with a network for an address: each has its callback in memory, a task and
    /// perhaps a program. Callbacks that are tried again after a failure have limits of their own, of the same size. They
    /// never block new callbacks: a receiver refuses callbacks of foreign sign-ins, and any caller can make such
    /// callbacks up.
    public static let underWay = Capacity(total: 512, perApp: 128, perAddress: 32)
    /// The maximum of untaken callbacks that are remembered, for their pages.
    static let maximumMissed = 4096

    /// The remembered callbacks that are recognized when they come again, by each limit.
    private struct Counts {
        var (total, byApp, byCaller, byNetwork) = (0, [AppID: Int](), [String: Int](), [String: Int]())

        /// - Parameter change: 1 to count an entry, −1 to give it back.
        mutating func count(_ entry: Entry, _ change: Int) {
            func changed(_ count: Int?) -> Int? { (count ?? 0) + change == 0 ? nil : (count ?? 0) + change }
            total += change
            byApp[entry.app] = changed(byApp[entry.app])
            byCaller[entry.caller] = changed(byCaller[entry.caller])
            byNetwork[entry.network] = changed(byNetwork[entry.network])
        }

        /// The limit without room; nil if there is room.
        func limit(_ app: AppID, _ caller: String, _ network: String, _ capacity: Capacity) -> Limit? {
            if byCaller[caller, default: 0] >= capacity.perAddress { return .perAddress }
            if byNetwork[network, default: 0] >= capacity.perNetwork { return .perNetwork }
            if byApp[app, default: 0] >= capacity.perApp { return .perApp }
            return total >= capacity.total ? .total : nil
        }
    }

    /// A callback on its way.
    private struct Attempt {
        let app: AppID
        let network: String
        /// The number of failed tries, behind each of which another one follows.
        var setbacks = 0

        var isRetry: Bool { setbacks > 0 }
    }

    private struct State {
        var entries: [Reference: Entry] = [:]
        /// The callbacks that must not be handed over again.
        var references: [SHA256Digest: Reference] = [:]
        /// In the order of their ends, nearly.
        var queue: [Reference] = []
        var first = 0
        var kept = Counts()
        /// The callbacks on their way, by reference, without evicted retries. There are few, so limits count them one
        /// by one.
        var attempts: [Reference: Attempt] = [:]
        /// The callbacks that no handler took, in their order.
        var missed: [Reference] = []

        /// The limit without room for one more on its way. First tries and retries have the same room each.
        func limit(_ app: AppID, _ network: String, isRetry: Bool) -> Limit? {
            var (total, ofApp, ofNetwork) = (0, 0, 0)
            for attempt in attempts.values where attempt.isRetry == isRetry {
                total += 1
                if attempt.app == app { ofApp += 1 }
                if attempt.network == network { ofNetwork += 1 }
            }
            if ofNetwork >= underWay.perAddress { return .perAddress }
            if ofApp >= underWay.perApp { return .perApp }
            return total >= underWay.total ? .total : nil
        }

        /// Evicts one retry of the full app or network, or of all: in the network with the most retries there, the
        /// delivery that failed most often.
        /// - Returns: false without a retry there.
        mutating func giveUp(for new: Attempt, at limit: Limit) -> Bool {
            let there = attempts.filter { _, other in
                guard other.isRetry else { return false }
                return switch limit {
                case .perAddress, .perNetwork: other.network == new.network
                case .perApp: other.app == new.app
                case .total: true
                }
            }
            let retries = Dictionary(there.values.map { ($0.network, 1) }, uniquingKeysWith: +)
            let last = there.max { one, other in
                (retries[one.value.network] ?? 0, one.value.setbacks)
                    < (retries[other.value.network] ?? 0, other.value.setbacks)
            }
            guard let last else { return false }
            attempts[last.key] = nil
            return true
        }
    }

    private let state = Mutex(State())

    public init() {}

    /// Notes a callback that came. If an earlier one was not taken, the next one may have its reference.
    /// - Parameters:
    ///   - fingerprint: the digest of the callback's whole content and of its redirect URI.
    ///   - caller: the key under which the limits count the caller.
    ///   - network: the key of the caller's network, most likely one customer.
    ///   - end: until when it is remembered.
    public func begin(
        _ fingerprint: SHA256Digest, reference: Reference, app: AppID, browser: SHA256Digest?, caller: String,
        network: String, until end: Instant, now: Instant, capacity: Capacity
    ) -> Admission {
        state.withLock { state in
            Self.forget(until: now, in: &state)
            if let known = state.references[fingerprint].flatMap({ state.entries[$0] }) { return .repeated(known) }
            if let old = state.entries[reference], old.outcome != .notTaken { return .referenceInUse }
            if let limit = state.limit(app, network, isRetry: false) ?? state.kept.limit(app, caller, network, capacity)
            {
                return .full(limit)
            }
            let entry = Entry(
                reference: reference, app: app, browser: browser, fingerprint: fingerprint, caller: caller,
                network: network, end: end)
            state.entries[reference] = entry
            state.references[fingerprint] = reference
            state.queue.append(reference)
            state.kept.count(entry, 1)
            state.attempts[reference] = Attempt(app: app, network: network)
            return .new
        }
    }

    /// Notes a failed try that will be repeated. The place is free for a new callback. If too many are tried again, one
    /// of them gives way.
    public func setBack(_ reference: Reference) {
        state.withLock { state in
            guard var attempt = state.attempts[reference] else { return }
            if !attempt.isRetry {
                while let limit = state.limit(attempt.app, attempt.network, isRetry: true),
                    state.giveUp(for: attempt, at: limit)
                {}
            }
            attempt.setbacks += 1
            state.attempts[reference] = attempt
        }
    }

    /// Whether a callback on its way had to give way to another, so that no try follows.
    public func isGivenUp(_ reference: Reference) -> Bool {
        state.withLock { $0.entries[reference]?.outcome == .underWay && $0.attempts[reference] == nil }
    }

    /// Notes the outcome of a new callback. `leftToLast` may still become `notTaken`; other outcomes are final.
    public func end(_ reference: Reference, _ outcome: Outcome) {
        state.withLock { state in
            guard let entry = state.entries[reference], outcome != .underWay else { return }
            switch entry.outcome {
            case .underWay: state.attempts[reference] = nil
            case .leftToLast where outcome == .notTaken: break
            case .leftToLast, .taken, .notTaken: return
            }
            state.entries[reference]?.outcome = outcome
            guard outcome == .notTaken else { return }
            // The callback may come again. Only its page needs the entry.
            Self.release(entry, in: &state)
            state.kept.count(entry, -1)
            state.missed.append(reference)
            if state.missed.count >= 2 * Self.maximumMissed {
                for old in state.missed.prefix(Self.maximumMissed) where state.entries[old]?.outcome == .notTaken {
                    state.entries[old] = nil
                }
                state.missed.removeFirst(Self.maximumMissed)
            }
        }
    }

    /// Forgets a callback that was new here, but that this gateway does not hand over.
    public func forget(_ reference: Reference) {
        state.withLock { state in
            guard let entry = state.entries.removeValue(forKey: reference) else { return }
            state.attempts[reference] = nil
            if entry.outcome != .notTaken { state.kept.count(entry, -1) }
            Self.release(entry, in: &state)
        }
    }

    /// The same callback may be handed over again.
    private static func release(_ entry: Entry, in state: inout State) {
        if state.references[entry.fingerprint] == entry.reference { state.references[entry.fingerprint] = nil }
    }

    /// Returns the entry of a delivery; nil once it is forgotten.
    public func entry(_ reference: Reference, now: Instant) -> Entry? {
        state.withLock { $0.entries[reference] }.flatMap { $0.end > now ? $0 : nil }
    }

    /// Forgets entries past their end. Entries on their way wait for their own end.
    private static func forget(until now: Instant, in state: inout State) {
        while state.first < state.queue.count {
            if let entry = state.entries[state.queue[state.first]] {
                guard entry.end <= now, entry.outcome != .underWay else { break }
                state.entries[entry.reference] = nil
                release(entry, in: &state)
                if entry.outcome != .notTaken { state.kept.count(entry, -1) }
            }
            state.first += 1
        }
        // Most untaken callbacks leave before their end.
        if state.queue.count - state.first > 4 * (state.entries.count + 1024) {
            state.queue = state.queue.dropFirst(state.first).filter { [entries = state.entries] in entries[$0] != nil }
            state.first = 0
        }
        guard state.first > 1024, state.first * 2 > state.queue.count else { return }
        state.queue.removeFirst(state.first)
        state.first = 0
    }
}
