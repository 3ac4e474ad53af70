internal import SwitchyardCrypto
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardRouting

/// Decides whether a callback's code may be used at once, or must be held until browser and app are known to belong
/// together (rules: who began is who finishes). A value without I/O.
///
/// `Limits` says how long a code waits, and how often it may be wrong; ``ReleaseSecret`` says how it looks.
struct HoldRule: Sendable {
    enum Verdict: Equatable, Sendable {
        case pass(RequestRecord.Release)
        /// Holds the code until `proof`. `secret` is the one of the browser that can show it.
        case hold(RequestRecord.Held.Proof, secret: Secret)
    }

    let policy: ReleasePolicy
    /// The networks in which ``ReleasePolicy/sameNetwork`` may pass, beside loopback.
    let networks: [Network]

    func verdict(
        for record: RequestRecord, from source: ArrivedCallback.Source
    ) -> Verdict {
        let browser: ArrivingBrowser
        switch source {
        // The relaying user is known to be the user that began.
        case .relay: return .pass(.notNeeded)
        // The other gateway has met the browser, and held the code by its own policy.
        case .gateway(_, let isReleased): return .pass(isReleased ? .proved : .notNeeded)
        case .browser(let arriving): browser = arriving
        }
        switch policy {
        case .none: return .pass(.notNeeded)
        case .code: return .hold(.code, secret: browser.secret)
        case .sameDevice: return .hold(.ticket, secret: browser.secret)
        case .sameNetwork:
            return isSameAddress(record, browser) ? .pass(.sameAddress) : .hold(.code, secret: browser.secret)
        }
    }

    private func isSameAddress(_ record: RequestRecord, _ browser: ArrivingBrowser) -> Bool {
        guard let address = browser.address, address == PeerAddress(of: record.beginner) else { return false }
        return address.isTrusted(networks) && !record.isWatchedFromElsewhere
    }
}
