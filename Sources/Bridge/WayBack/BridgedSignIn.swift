/// The life of one sign-in that comes home, without I/O.
///
/// `offered` → `going` (the person has gone on to the issuer) → `delivering` (its callback is on the way to the tool) →
/// [`expectingPage` (the tool has sent the browser to a page of its own) → `deliveringPage` →] `over`. It never goes
/// back, and it can end at each step.
public struct BridgedSignIn: Sendable {
    public enum Phase: Equatable, Sendable {
        case offered
        case going
        case delivering
        /// The target of the page, byte for byte.
        case expectingPage(String)
        case deliveringPage
        case over(Ending)
    }

    public enum Ending: Equatable, Sendable {
        case delivered
        /// The person did not want it.
        case refused
        case expired
        /// The callback came, but the tool did not take it.
        case toolGone
    }

    public let address: SignInAddress
    public private(set) var phase = Phase.offered

    public init(_ address: SignInAddress) {
        self.address = address
    }

    public var isOver: Bool {
        if case .over = phase { true } else { false }
    }

    /// The person goes on to the issuer.
    /// - Returns: whether they may: once more is the same page loaded again.
    public mutating func goOn() -> Bool {
        switch phase {
        case .offered:
            phase = .going
            return true
        case .going: return true
        default: return false
        }
    }

    mutating func take() { if phase == .going { phase = .delivering } }

    mutating func takePage() { if case .expectingPage = phase { phase = .deliveringPage } }

    /// The tool has answered.
    /// - Parameter page: where on itself it sends the browser; that is followed once.
    public mutating func answered(sendingTo page: String?) {
        switch (phase, page) {
        case (.delivering, let page?): phase = .expectingPage(page)
        case (.delivering, nil), (.deliveringPage, _): phase = .over(.delivered)
        default: break
        }
    }

    public mutating func end(_ ending: Ending) {
        guard !isOver else { return }
        phase = .over(ending)
    }
}
