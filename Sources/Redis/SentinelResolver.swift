/// Finds the primary that a group of Sentinels watches, and finds it again after a fail-over. Without I/O and without a
/// clock. Not thread-safe.
///
/// A Sentinel's word counts only once the server itself says that it is a primary: a Sentinel that was cut off names
/// the old one.
struct SentinelResolver: Sendable {
    enum Step: Equatable, Sendable {
        /// Ask this Sentinel with ``question``.
        case ask(sentinel: RedisAddress)
        /// Ask this server with `ROLE`.
        case verify(RedisAddress)
        case found(RedisAddress)
        /// All were asked in vain.
        case giveUp
    }

    private enum State {
        case asking
        case verifying(RedisAddress)
        case found(RedisAddress)
    }

    let name: String
    /// The Sentinels, the one that answered last first.
    private(set) var sentinels: [RedisAddress]
    /// How many of them were asked in this round.
    private var asked = 0
    /// The servers that were named in this round and are no primaries.
    private var refuted: Set<RedisAddress> = []
    private var state = State.asking

    /// - Parameters:
    ///   - sentinels: at least one.
    ///   - name: of the group that they watch.
    init(sentinels: [RedisAddress], name: String) {
        self.sentinels = sentinels
        self.name = name
    }

    var question: RedisCommand { ["SENTINEL", "get-master-addr-by-name", name] }

    /// The server that an answer to ``question`` names; nil without one.
    static func primary(in answer: RedisValue?) -> RedisAddress? {
        guard let parts = answer?.array, parts.count == 2, let host = parts[0].text,
            let port = parts[1].integer.flatMap({ UInt16(exactly: $0) })
        else { return nil }
        return RedisAddress(host: host, port: port)
    }

    /// Begins a new round: the primary must be found again. The server that a Sentinel has announced is asked first.
    mutating func begin() {
        asked = 0
        refuted = []
        if case .verifying = state { return }
        state = .asking
    }

    var step: Step {
        switch state {
        case .found(let server): .found(server)
        case .verifying(let server): .verify(server)
        case .asking: asked < sentinels.count ? .ask(sentinel: sentinels[asked]) : .giveUp
        }
    }

    /// - Parameter answer: from the Sentinel that was asked; nil without an answer.
    mutating func sentinelAnswered(_ answer: RedisValue?) {
        guard case .asking = state, asked < sentinels.count else { return }
        guard let primary = Self.primary(in: answer) else {
            asked += 1
            return
        }
        sentinels.insert(sentinels.remove(at: asked), at: 0)
        // The others stay in their order, and those that were asked already are not asked twice.
        asked += 1
        if !refuted.contains(primary) { state = .verifying(primary) }
    }

    /// - Parameter answer: from `server` to `ROLE`; nil without an answer.
    mutating func serverAnswered(_ answer: RedisValue?, _ server: RedisAddress) {
        // Another one may have been announced meanwhile.
        guard case .verifying(server) = state else { return }
        if answer?.array?.first?.text == "master" {
            state = .found(server)
        } else {
            refuted.insert(server)
            state = .asking
        }
    }

    /// Takes a Sentinel's announcement of a new primary.
    /// - Parameter message: of `+switch-master`: the group, the old primary, the new one.
    /// - Returns: the new one; nil when the message concerns another group.
    mutating func announced(_ message: [UInt8]) -> RedisAddress? {
        let words = String(decoding: message, as: UTF8.self).split(separator: " ")
        guard words.count == 5, words[0] == name, let port = UInt16(words[4]) else { return nil }
        let server = RedisAddress(host: String(words[3]), port: port)
        if case .found(server) = state { return server }
        state = .verifying(server)
        return server
    }
}
