public import SwitchyardReactor

/// Finds the primary that a group of Sentinels watches, and finds it again after a fail-over. No I/O and no clock: both
/// are given. Not thread-safe.
///
/// What a Sentinel says is believed only once the server itself says that it is a primary: a Sentinel that was cut off
/// names the old one.
public struct SentinelResolver: Sendable {
    public enum Step: Equatable, Sendable {
        /// Ask this Sentinel with ``question``.
        case ask(sentinel: RedisAddress)
        /// Ask this server with `ROLE`.
        case verify(RedisAddress)
        /// All were asked in vain: begin again then.
        case pause(until: Instant)
    }

    private enum State {
        case asking
        case verifying(RedisAddress)
        case paused(until: Instant)
        case resolved(RedisAddress)
    }

    public let name: String
    private var sentinels: [RedisAddress]
    /// How many of them were asked in this round.
    private var asked = 0
    private var rounds = 0
    private var state = State.asking

    /// - Parameters:
    ///   - sentinels: at least one.
    ///   - name: of the group that they watch.
    public init(sentinels: [RedisAddress], name: String) {
        self.sentinels = sentinels
        self.name = name
    }

    public var question: RedisCommand { ["SENTINEL", "get-master-addr-by-name", name] }

    /// nil as long as it is not known.
    public var primary: RedisAddress? {
        if case .resolved(let primary) = state { primary } else { nil }
    }

    /// What to do next; nil when the primary is known.
    public mutating func next(at now: Instant) -> Step? {
        if case .paused(let until) = state, now >= until {
            state = .asking
            asked = 0
        }
        switch state {
        case .resolved: return nil
        case .paused(let until): return .pause(until: until)
        case .verifying(let server): return .verify(server)
        case .asking:
            guard asked < sentinels.count else {
                rounds += 1
                let until = now + .milliseconds(min(2000, 50 << min(rounds, 6)))
                state = .paused(until: until)
                return .pause(until: until)
            }
            return .ask(sentinel: sentinels[asked])
        }
    }

    /// - Parameter answer: of the Sentinel that was to be asked; nil when it gave none.
    public mutating func sentinelAnswered(_ answer: RedisValue?) {
        guard case .asking = state, asked < sentinels.count else { return }
        guard let parts = answer?.array, parts.count == 2, let host = parts[0].text,
            let port = parts[1].integer.flatMap({ UInt16(exactly: $0) })
        else {
            asked += 1
            return
        }
        // It works: the next time it is the first one asked.
        sentinels.insert(sentinels.remove(at: asked), at: 0)
        asked = 1
        state = .verifying(RedisAddress(host: host, port: port))
    }

    /// - Parameter answer: to `ROLE`; nil when the server gave none.
    public mutating func serverAnswered(_ answer: RedisValue?) {
        guard case .verifying(let server) = state else { return }
        guard answer?.array?.first?.text == "master" else {
            state = .asking
            return
        }
        rounds = 0
        state = .resolved(server)
    }

    /// The server went away, or said that it is a replica: everything is open again.
    public mutating func lost(_ server: RedisAddress) {
        guard case .resolved(server) = state else { return }
        asked = 0
        state = .asking
    }
}
