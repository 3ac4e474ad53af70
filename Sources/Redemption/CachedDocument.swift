internal import SwitchyardReactor
internal import SwitchyardText
internal import Synchronization

/// A document of an issuer that is fetched when needed, by one task at a time, and kept.
///
/// An old one serves on while a new one is fetched behind its back, and for as long as fetching fails. Safe from any
/// thread; the lock is never held while anything waits.
final class CachedDocument<Value: Sendable>: Sendable {
    struct Snapshot: Sendable {
        let value: Value
        /// Counts the fetches that succeeded, from 1.
        let version: Int
    }

    /// A fetched value and how long it is fresh, or the reason why the fetch failed.
    enum Outcome: Sendable {
        case fetched(Value, lifetime: Duration)
        case failed(reason: String, IssuerUnavailableError.Cause)
    }

    private struct Failure {
        let reason: String
        let cause: IssuerUnavailableError.Cause
        /// When the next fetch may be tried.
        let until: Instant
    }

    private struct State {
        var snapshot: Snapshot?
        var freshUntil = Instant(nanoseconds: 0)
        var failure: Failure?
        var nextForcedFetch = Instant(nanoseconds: 0)
        var isFetching = false
        /// Whether it is fetched because the present document does not suffice.
        var isForced = false
        var waiting: [Signal] = []
    }

    /// The next step of a caller. `refresh` and `fetch` make it the one that fetches.
    private enum Step {
        case use(Snapshot)
        case refresh(Snapshot)
        case fetch
        case wait
        case fail(IssuerUnavailableError)
    }

    private let issuer: String
    private let state = Mutex(State())

    init(issuer: String) {
        self.issuer = issuer
    }

    /// The document without waiting; nil unless a fresh one is here.
    func fresh(at now: Instant) -> Snapshot? {
        state.withLock { now < $0.freshUntil ? $0.snapshot : nil }
    }

    /// The document, from here or by `fetch`. Only from a task of `loop`.
    /// - Parameter outdated: the version that turned out to be insufficient. A newer one is then fetched at once, but
    ///   at most every 30 s; without a newer one, the same version comes back.
    /// - Throws: ``IssuerUnavailableError`` when there is no document, or only the outdated one, and fetching fails.
    func get(
        replacing outdated: Int? = nil, on loop: EventLoop, _ time: TimeSource,
        fetch: @escaping @Sendable () async -> Outcome
    ) async throws(IssuerUnavailableError) -> Snapshot {
        while true {
            switch nextStep(at: time.now(), replacing: outdated) {
            case .use(let snapshot): return snapshot
            case .refresh(let snapshot):
                loop.start { self.end(with: await fetch(), at: time.now()) }
                return snapshot
            case .fetch: end(with: await fetch(), at: time.now())
            case .wait: await fetchEnd()
            case .fail(let error): throw error
            }
        }
    }

    private func nextStep(at now: Instant, replacing outdated: Int?) -> Step {
        state.withLock { state in
            if let outdated, let snapshot = state.snapshot {
                return renewalStep(&state, snapshot, at: now, replacing: outdated)
            }
            return step(&state, at: now)
        }
    }

    private func step(_ state: inout State, at now: Instant) -> Step {
        let snapshot = state.snapshot
        if let snapshot, now < state.freshUntil { return .use(snapshot) }
        let mayServe = now < state.freshUntil + CacheLifetime.staleLimit
        if state.isFetching {
            guard let snapshot, mayServe else { return .wait }
            return .use(snapshot)
        }
        if let failure = state.failure, now < failure.until {
            if let snapshot { return .use(snapshot) }
            return .fail(unavailable(failure, at: now))
        }
        state.isFetching = true
        guard let snapshot, mayServe else { return .fetch }
        return .refresh(snapshot)
    }

    private func renewalStep(
        _ state: inout State, _ snapshot: Snapshot, at now: Instant, replacing outdated: Int
    ) -> Step {
        if snapshot.version > outdated { return .use(snapshot) }
        if state.isFetching { return .wait }
        // The present document is insufficient, and whether a newer one would do is unknown.
        if let failure = state.failure, now < failure.until { return .fail(unavailable(failure, at: now)) }
        if now < state.nextForcedFetch { return .use(snapshot) }
        state.isForced = true
        state.isFetching = true
        return .fetch
    }

    private func unavailable(_ failure: Failure, at now: Instant) -> IssuerUnavailableError {
        let seconds = (failure.until - now + .milliseconds(999)).components.seconds
        return IssuerUnavailableError(
            issuer: issuer, reason: failure.reason, cause: failure.cause, retryAfter: Int(max(1, seconds)))
    }

    private func end(with outcome: Outcome, at now: Instant) {
        let waiting = state.withLock { state in
            switch outcome {
            case .fetched(let value, let lifetime):
                state.snapshot = Snapshot(value: value, version: (state.snapshot?.version ?? 0) + 1)
                state.freshUntil = now + lifetime
                state.failure = nil
                if state.isForced { state.nextForcedFetch = now + CacheLifetime.forcedFetchInterval }
            case .failed(let reason, let cause):
                state.failure = Failure(reason: reason, cause: cause, until: now + CacheLifetime.failure)
            }
            state.isFetching = false
            state.isForced = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for signal in waiting { signal.raise() }
    }

    /// Waits until the fetch that is under way has ended.
    private func fetchEnd() async {
        let signal = Signal()
        let mustWait = state.withLock { state in
            if state.isFetching { state.waiting.append(signal) }
            return state.isFetching
        }
        if mustWait { _ = await signal.wait() }
    }
}

/// How long an issuer's documents are kept.
enum CacheLifetime {
    static let minimum: Int64 = 5 * 60
    static let standard: Int64 = 60 * 60
    static let maximum: Int64 = 24 * 60 * 60

    /// How long a document that is no longer fresh serves at once, with a fetch behind its back. An older one still
    /// serves, but only after a fetch that failed.
    static let staleLimit = Duration.seconds(maximum)

    /// How long a failed fetch is remembered.
    static let failure = Duration.seconds(5)

    /// The least time between two fetches that tokens with unknown keys cause.
    static let forcedFetchInterval = Duration.seconds(30)

    /// The freshness that a `Cache-Control` header gives (RFC 9111 section 5.2.2), within 5 minutes to 24 hours:
    /// `max-age`; the least for `no-store` and `no-cache`, since each sign-in must not become a fetch; 1 hour without a
    /// directive.
    static func duration(cacheControl: String?) -> Duration {
        var seconds = standard
        for directive in (cacheControl ?? "").asciiLowercased.utf8.split(separator: UInt8(ascii: ",")) {
            let directive = Substring(directive).drop { $0 == " " }
            if directive.hasPrefix("no-store") || directive.hasPrefix("no-cache") { return .seconds(minimum) }
            if directive.hasPrefix("max-age="), let age = Int64(directive.dropFirst(8)) { seconds = age }
        }
        return .seconds(min(max(seconds, minimum), maximum))
    }
}
