/// The life of a connection that carries one request after the other. Events go in and actions come out, without I/O.
struct ConnectionState: Equatable {
    enum Phase: Equatable {
        /// No request has come yet.
        case fresh(isStopping: Bool)
        /// No byte has come since the last answer.
        case idle
        /// A request is being read or answered. The server may end the connection after it.
        case busy(isLast: Bool)
        /// The last answer is on its way, or is complete.
        case ending
    }

    private(set) var phase = Phase.fresh(isStopping: false)

    /// The first byte of a request has come.
    mutating func requestBegan() {
        switch phase {
        case .fresh(let isStopping): phase = .busy(isLast: isStopping)
        case .idle: phase = .busy(isLast: false)
        case .busy, .ending: break
        }
    }

    /// Notes that an answer is about to be written.
    /// - Parameter wantsEnd: whether the client, the service or the answer's framing ends the connection with it.
    /// - Returns: whether the connection stays open, which the answer must say.
    mutating func answerBegins(wantsEnd: Bool) -> Bool {
        guard !wantsEnd, phase == .busy(isLast: false) else {
            phase = .ending
            return false
        }
        return true
    }

    /// Notes that the answer has been written.
    /// - Returns: whether another request may come; false if the server was stopped in between.
    mutating func answerEnded() -> Bool {
        guard phase == .busy(isLast: false) else {
            phase = .ending
            return false
        }
        phase = .idle
        return true
    }

    enum Stop: Equatable {
        /// It ends by itself, behind the answer that is being given.
        case letRun
        /// The connection is idle and can be closed.
        case close
        /// A client that has just come is not turned away without a word: its first request, on its way
        /// perhaps, gets an answer.
        case lastChance
    }

    /// The server stops.
    mutating func stop() -> Stop {
        switch phase {
        case .fresh:
            phase = .fresh(isStopping: true)
            return .lastChance
        case .idle:
            phase = .ending
            return .close
        case .busy:
            phase = .busy(isLast: true)
            return .letRun
        case .ending: return .letRun
        }
    }
}
