public import SwitchyardCrypto
internal import SwitchyardJSON
public import SwitchyardReactor
public import SwitchyardRouting

/// A callback on its way to an app that keeps its own state.
public struct Delivery: Sendable {
    /// The app's id.
    public let app: String
    /// By which it is found in the log and in its history; no secret.
    public let reference: String
    /// The callback as a URL, with its code.
    public let url: Secret
    /// What lets the app raise its window, from whoever was clicked; nil where there is none.
    public let activationToken: String?
    /// When nobody waits for it any more.
    public let end: Instant
    /// Where it has its place while it is tried again; nil where nobody counts.
    let ledger: DeliveryLedger?

    public init(
        app: String, reference: String, url: Secret, activationToken: String?, end: Instant,
        ledger: DeliveryLedger? = nil
    ) {
        self.app = app
        self.reference = reference
        self.url = url
        self.activationToken = activationToken
        self.end = end
        self.ledger = ledger
    }

    /// What a handler may take that would like to have `limit`.
    func time(atMost limit: Duration) -> Duration { max(.milliseconds(1), min(limit, end - .now())) }
}

/// What one handler has come to. The raw values name it in the log, in metrics and in histories.
public enum DeliveryResult: String, CaseIterable, Sendable {
    /// The app has it, and said so.
    case ok
    /// The app, or its server, said that it does not take it.
    case refused
    /// Nobody is there: no socket, no such name on the bus, no such program, no connection.
    case unreachable
    /// Nothing was heard in time.
    case timedOut = "timed_out"
    /// What came back is no answer.
    case failed
    /// Who is there is another user, who must not see a callback.
    case notTrusted = "not_trusted"
    /// Too many callbacks are on their way to this app already.
    case busy
}

extension Delivery {
    /// What every handler gives the app in one form or another.
    var json: [UInt8] {
        JSONValue.object(["url": .string(url.exposedText), "reference": .string(reference)]).serialized
    }
}

/// A list of handlers, as it is tried.
public enum DeliveryOrder {
    /// Tries one after the other, until one has taken the callback or nobody waits for it any more.
    /// - Parameter attempt: what a handler comes to.
    /// - Returns: the one that has taken it; nil when none has.
    public static func first(
        of handlers: [DeliveryHandler], until end: Instant, _ attempt: (DeliveryHandler) async -> DeliveryResult
    ) async -> DeliveryHandler? {
        for handler in handlers where Instant.now() < end {
            if await attempt(handler) == .ok { return handler }
        }
        return nil
    }
}
