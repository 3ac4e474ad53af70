internal import SwitchyardReactor

/// Decides for a cluster where a command goes, what follows from an answer, and when to look the topology up again.
/// Without I/O and without a clock: both are given. Not thread-safe: it belongs to the loop that sends its commands.
struct ClusterRouter: Sendable {
    /// The next step of a command.
    enum Step: Equatable, Sendable {
        case send(to: RedisAddress)
        /// With `ASKING` before it, on the same connection.
        case sendAsking(to: RedisAddress)
        /// No node is known for it: look the topology up first.
        case wait
    }

    /// The consequence of an answer, or of its absence.
    enum Verdict: Equatable, Sendable {
        /// The caller has its answer.
        case deliver
        case again(Step)
        /// Again, but not before this long has passed.
        case later(Duration)
        case fail
    }

    /// A command on its way: how often it was redirected or put off.
    struct Attempt: Sendable {
        let slot: Int
        fileprivate var redirections = 0
        fileprivate var delays = Delays()

        init(slot: Int) {
            self.slot = slot
        }
    }

    private static let maximumRedirections = 5
    /// The topology is looked up at least this often.
    private static let refreshInterval = Duration.seconds(30)
    /// The topology is looked up at most this often.
    private static let minimumInterval = Duration.milliseconds(200)

    private let seeds: [RedisAddress]
    private var topology: ClusterTopology?
    /// The slots that redirections have named since the topology was looked up.
    private var moved: [Int: RedisAddress] = [:]
    private var lookedUp: Instant?
    private var isLookingUp = false
    private var isStale = true
    private var failures = 0
    private var nextLookUp = Instant(nanoseconds: 0)

    /// All known nodes, primaries first; the seeds before the first look-up.
    var nodes: [RedisAddress] { topology?.nodes ?? seeds }

    /// The nodes that take writes; nil while they are unknown.
    var primaries: [RedisAddress]? { topology?.primaries }

    /// - Parameter seeds: nodes to ask first; at least one.
    init(seeds: [RedisAddress]) {
        self.seeds = seeds
    }

    // MARK: Commands

    func step(for attempt: Attempt) -> Step {
        guard let node = moved[attempt.slot] ?? topology?.primary(ofSlot: attempt.slot) else { return .wait }
        return .send(to: node)
    }

    /// - Parameter asked: where the command went.
    mutating func judge(
        _ result: Result<RedisValue, RedisError>, from asked: RedisAddress, _ attempt: inout Attempt
    ) -> Verdict {
        let error: RedisServerError
        switch result {
        case .success(.error(let answered)): error = answered
        case .success: return .deliver
        case .failure(.server(let answered)): error = answered
        case .failure(.notSent):
            // The node may be gone, and another one in its place.
            isStale = true
            return putOff(&attempt)
        case .failure(.outcomeUnknown):
            isStale = true
            return .fail
        }
        switch error.kind {
        case .moved(let slot, let node):
            let known = Self.resolved(node, asked)
            moved[slot] = known
            isStale = true
            return redirect(&attempt, .send(to: known))
        case .ask(_, let node): return redirect(&attempt, .sendAsking(to: Self.resolved(node, asked)))
        case .tryAgain: return putOff(&attempt)
        case .readOnly, .masterDown, .clusterDown, .loading:
            moved[attempt.slot] = nil
            isStale = true
            return putOff(&attempt)
        case .busy: return putOff(&attempt)
        case .outOfMemory, .crossSlot, .noScript, .notAuthenticated, .wrongPassword, .notPermitted,
            .tooFewReplicas, .cannotSave, .other:
            return .deliver
        }
    }

    /// A node that does not know its own name leaves it out.
    private static func resolved(_ node: RedisAddress, _ asked: RedisAddress) -> RedisAddress {
        node.host.isEmpty ? RedisAddress(host: asked.host, port: node.port) : node
    }

    private func redirect(_ attempt: inout Attempt, _ step: Step) -> Verdict {
        attempt.redirections += 1
        return attempt.redirections > Self.maximumRedirections ? putOff(&attempt) : .again(step)
    }

    /// Pauses for longer each time; a command gives up at its deadline.
    private func putOff(_ attempt: inout Attempt) -> Verdict {
        attempt.redirections = 0
        return .later(attempt.delays.next())
    }

    // MARK: Topology

    /// Notes that a node does not answer: another node may have taken its place.
    mutating func suspect() {
        isStale = true
    }

    /// The time of the next look-up of the topology; ``Instant/never`` during a look-up.
    var due: Instant {
        if isLookingUp { return .never }
        let latest = lookedUp.map { $0 + Self.refreshInterval } ?? nextLookUp
        return isStale ? nextLookUp : max(nextLookUp, latest)
    }

    /// The nodes to ask for the topology, one after the other until one answers; nil while it need not be looked up.
    /// Afterwards ``found(_:at:)`` or ``notFound(at:)`` is due.
    mutating func lookUp(at now: Instant) -> [RedisAddress]? {
        guard now >= due else { return nil }
        isLookingUp = true
        isStale = false
        var seen: Set<RedisAddress> = []
        let known = Array(Set(moved.values)).sorted { "\($0)" < "\($1)" } + (topology?.nodes ?? [])
        return (known + seeds).filter { seen.insert($0).inserted }
    }

    mutating func found(_ topology: ClusterTopology, at now: Instant) {
        self.topology = topology
        moved = [:]
        isLookingUp = false
        failures = 0
        lookedUp = now
        nextLookUp = now + Self.minimumInterval
        // A slot without a node gets one soon, or the cluster stays down.
        if !topology.isComplete { isStale = true }
    }

    mutating func notFound(at now: Instant) {
        isLookingUp = false
        isStale = true
        failures += 1
        nextLookUp = now + .milliseconds(min(2000, 100 << min(failures, 5)))
    }
}
