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
        var tries = Tries.first

        /// How often it was tried to hand it over.
        enum Tries {
            /// The app has not been heard of yet.
            case first
            /// So many tries have failed, and another one follows.
            case again(setbacks: Int)
            /// It has had to make room for another that is tried again, and no try follows.
            case givenUp
        }

        var setbacks: Int { if case .again(let setbacks) = tries { setbacks } else { 0 } }
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
    /// perhaps a program.
    public static let underWay = Capacity(total: 512, perApp: 128, perAddress: 32)
    /// The limits of callbacks that are tried again after a failure. They never block new callbacks: a receiver refuses
    /// callbacks of foreign sign-ins, and any caller can make such callbacks up.
    static let retried = underWay
    /// The maximum of untaken callbacks that are remembered, for their pages.
    static let maximumMissed = 4096

    private struct Counts {
        var (total, byApp, byCaller, byNetwork) = (0, [AppID: Int](), [String: Int](), [String: Int]())

        /// - Parameter network: nil where `caller` is one.
        mutating func add(_ app: AppID, _ caller: String, _ network: String? = nil) {
            total += 1
            if let network { byNetwork[network, default: 0] += 1 }
            byApp[app, default: 0] += 1
            byCaller[caller, default: 0] += 1
        }

        mutating func remove(_ app: AppID, _ caller: String, _ network: String? = nil) {
            total -= 1
            if let network { byNetwork[network] = byNetwork[network].flatMap { $0 > 1 ? $0 - 1 : nil } }
            byApp[app] = byApp[app].flatMap { $0 > 1 ? $0 - 1 : nil }
            byCaller[caller] = byCaller[caller].flatMap { $0 > 1 ? $0 - 1 : nil }
        }

        func limit(_ app: AppID, _ caller: String, _ capacity: Capacity, network: String? = nil) -> Limit? {
            if byCaller[caller, default: 0] >= capacity.perAddress { return .perAddress }
            if let network, byNetwork[network, default: 0] >= capacity.perNetwork { return .perNetwork }
            if byApp[app, default: 0] >= capacity.perApp { return .perApp }
            return total >= capacity.total ? .total : nil
        }
    }

    private struct State {
        var entries: [Reference: Entry] = [:]
        /// The callbacks that must not be handed over again.
        var references: [SHA256Digest: Reference] = [:]
        /// In the order of their ends, nearly.
        var queue: [Reference] = []
        var first = 0
        /// The callbacks that are recognized when they come again.
        var kept = Counts()
        var moving = Counts()
        var retried = Counts()
        var retriedReferences: Set<Reference> = []
        /// The callbacks that no handler took, in their order.
        var missed: [Reference] = []

        /// It is on its way no longer.
        mutating func settle(_ entry: Entry) {
            switch entry.tries {
            case .first: moving.remove(entry.app, entry.network)
            case .again: retryNoMore(entry)
            case .givenUp: break
            }
        }

        mutating func retry(_ entry: Entry) {
            retried.add(entry.app, entry.network)
            retriedReferences.insert(entry.reference)
        }

        private mutating func retryNoMore(_ entry: Entry) {
            retried.remove(entry.app, entry.network)
            retriedReferences.remove(entry.reference)
        }

        /// Evicts one retry of the full app or network, or of all: in the network with the most retries there, the
        /// delivery that failed most often.
        /// - Returns: false without a retry there.
        mutating func giveUp(for entry: Entry, at limit: Limit) -> Bool {
            let there = retriedReferences.compactMap { entries[$0] }.filter { other in
                switch limit {
                case .perAddress, .perNetwork: other.network == entry.network
                case .perApp: other.app == entry.app
                case .total: true
                }
            }
            let shares = Dictionary(there.map { ($0.network, 1) }, uniquingKeysWith: +)
            let last = there.max { one, other in
                (shares[one.network] ?? 0, one.setbacks) < (shares[other.network] ?? 0, other.setbacks)
            }
            guard let last else { return false }
            retryNoMore(last)
            entries[last.reference]?.tries = .givenUp
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
            if let limit = state.moving.limit(app, network, Self.underWay)
                ?? state.kept.limit(app, caller, capacity, network: network)
            {
                return .full(limit)
            }
            let entry = Entry(
                reference: reference, app: app, browser: browser, fingerprint: fingerprint, caller: caller,
                network: network, end: end)
            state.entries[reference] = entry
            state.references[fingerprint] = reference
            state.queue.append(reference)
            state.kept.add(app, caller, network)
            state.moving.add(app, network)
            return .new
        }
    }

    /// Notes a failed try that will be repeated. The place is free for a new callback. If too many are tried again, one
    /// of them gives way.
    public func setBack(_ reference: Reference) {
        state.withLock { state in
            guard let entry = state.entries[reference], entry.outcome == .underWay else { return }
            switch entry.tries {
            case .first:
                state.moving.remove(entry.app, entry.network)
                while let limit = state.retried.limit(entry.app, entry.network, Self.retried),
                    state.giveUp(for: entry, at: limit)
                {}
                state.entries[reference]?.tries = .again(setbacks: 1)
                state.retry(entry)
            case .again(let setbacks): state.entries[reference]?.tries = .again(setbacks: setbacks + 1)
            case .givenUp: break
            }
        }
    }

    /// Whether it has had to give way to another, and is not to be tried again.
    public func isGivenUp(_ reference: Reference) -> Bool {
        state.withLock { if case .givenUp? = $0.entries[reference]?.tries { true } else { false } }
    }

    /// Notes the outcome of a new callback. `leftToLast` may still become `notTaken`; other outcomes are final.
    public func end(_ reference: Reference, _ outcome: Outcome) {
        state.withLock { state in
            guard let entry = state.entries[reference], outcome != .underWay else { return }
            switch entry.outcome {
            case .underWay: state.settle(entry)
            case .leftToLast where outcome == .notTaken: break
            case .leftToLast, .taken, .notTaken: return
            }
            state.entries[reference]?.outcome = outcome
            guard outcome == .notTaken else { return }
            // It may come again, so it need not be known, but for its page.
            Self.release(entry, in: &state)
            state.kept.remove(entry.app, entry.caller, entry.network)
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
            if entry.outcome == .underWay { state.settle(entry) }
            if entry.outcome != .notTaken { state.kept.remove(entry.app, entry.caller, entry.network) }
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
                if entry.outcome != .notTaken { state.kept.remove(entry.app, entry.caller, entry.network) }
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
