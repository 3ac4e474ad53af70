/// A server's counts since it began, and its open connections, by listener number. A copy; safe from any thread.
public struct ServerCounts: Sendable {
    /// How a TLS handshake ended.
    public enum Handshake: Int, Sendable, CaseIterable {
        case ok
        /// The two sides did not agree, or the peer left before the end.
        case failed
        /// The peer took longer than it may.
        case timedOut
    }

    /// No status has another code: see ``Status``.
    private static let firstCode = 200
    private static let codes = 320
    static let endOfCodes = firstCode + codes

    /// By ``index(ofResponse:on:)``.
    private var answers: [Int] = []
    private var open: [Int] = []
    private var handshakes = [Int](repeating: 0, count: Handshake.allCases.count)
    private var turnedAway = [Int](repeating: 0, count: ConnectionLimiter.Refusal.allCases.count)

    public init() {}

    /// Open connections, those over a limit included, which are about to end.
    public func connections(of listener: Int) -> Int {
        open.indices.contains(listener) ? open[listener] : 0
    }

    /// How many answers there were of each status code; only those that there were.
    public func answers(of listener: Int) -> [(code: Int, count: Int)] {
        guard open.indices.contains(listener) else { return [] }
        let all = answers[listener * Self.codes..<(listener + 1) * Self.codes]
        return all.enumerated().compactMap { $1 > 0 ? ($0 + Self.firstCode, $1) : nil }
    }

    /// How many TLS handshakes ended like this, on all listeners.
    public func handshakes(_ result: Handshake) -> Int { handshakes[result.rawValue] }

    /// Connections that were not served.
    public func turnedAway(_ refusal: ConnectionLimiter.Refusal) -> Int { turnedAway[refusal.rawValue] }

    // MARK: Counting

    /// From now on counts for a listener of this number, too.
    mutating func makeRoom(for listener: Int) {
        guard listener >= open.count else { return }
        open += Array(repeating: 0, count: listener + 1 - open.count)
        answers += Array(repeating: 0, count: open.count * Self.codes - answers.count)
    }

    /// How many counters there are for responses.
    var responseCount: Int { answers.count }

    static func index(ofResponse status: Status, on listener: Int) -> Int {
        listener * codes + status.code - firstCode
    }

    mutating func add(_ count: Int, responsesAt index: Int) { answers[index] &+= count }

    mutating func opened(on listener: Int) { open[listener] &+= 1 }
    mutating func closed(on listener: Int) { open[listener] &-= 1 }
    mutating func handshakeEnded(_ result: Handshake) { handshakes[result.rawValue] &+= 1 }
    mutating func turnedAway(by refusal: ConnectionLimiter.Refusal) { turnedAway[refusal.rawValue] &+= 1 }

    mutating func add(_ other: ServerCounts) {
        if let last = other.open.indices.last { makeRoom(for: last) }
        for (index, count) in other.answers.enumerated() { answers[index] += count }
        for (index, count) in other.open.enumerated() { open[index] += count }
        for (index, count) in other.handshakes.enumerated() { handshakes[index] += count }
        for (index, count) in other.turnedAway.enumerated() { turnedAway[index] += count }
    }
}
