public import SwitchyardCrypto
internal import SwitchyardJSON
public import SwitchyardPendingRequests
public import SwitchyardReactor
public import SwitchyardRouting

/// A callback on its way to an app that keeps its own state.
public struct Delivery: Sendable {
    public let app: AppID
    /// The reference in the log and in the history; no secret.
    public let reference: Reference
    /// The callback as a URL, with its code.
    public let url: Secret
    /// The token that lets the app raise its window, from the program that was clicked; nil without one.
    public let activationToken: String?
    /// The time until which the delivery is wanted.
    public let end: Instant
    /// The id by which a webhook's receiver recognizes a repeated message.
    public let messageID: String
    /// Whether a webhook may be tried now. If not, another gateway tries it, or it was given up for other callbacks.
    public var mayTry: @Sendable () -> Bool = { true }
    /// Told of each try of a webhook that failed and that another try follows, with how long it took.
    public var whenSetBack: @Sendable (DeliveryResult, Duration) -> Void = { _, _ in }
    /// Called when the receiver of a webhook wants no further try (410).
    public var whenRefusedForGood: @Sendable () -> Void = {}

    public init(
        app: AppID, reference: Reference, url: Secret, activationToken: String?, end: Instant,
        messageID: String = Self.makeMessageID()
    ) {
        self.messageID = messageID
        self.app = app
        self.reference = reference
        self.url = url
        self.activationToken = activationToken
        self.end = end
    }

    /// One that no other message has.
    public static func makeMessageID() -> String { "msg_\(Random.token(byteCount: 16))" }

    /// The time for a handler that asks for `limit`.
    func time(atMost limit: Duration) -> Duration { max(.milliseconds(1), min(limit, end - .now())) }
}

/// The result of one handler. The raw values name it in the log, in metrics and in histories.
public enum DeliveryResult: String, CaseIterable, Sendable {
    /// The app has it, and said so.
    case ok
    /// The app, or its server, said that it does not take it.
    case refused
    /// The app is not there: no socket, no such name on the bus, no such program, no connection.
    case unreachable
    /// No answer came in time.
    case timedOut = "timed_out"
    /// The answer is malformed.
    case failed
    /// The listener is another user, and must not see a callback.
    case notTrusted = "not_trusted"
    /// Too many callbacks are on their way to this app already.
    case busy
}

extension Delivery {
    /// The content that every handler gives the app in one form or another.
    var json: [UInt8] {
        JSONValue.object(["url": .string(url.exposedText), "reference": .string("\(reference)")]).serialized
    }
}

/// A list of handlers, as it is tried.
public enum DeliveryOrder {
    /// Tries one handler after the other, until one has taken the callback or the delivery is no longer wanted.
    /// - Parameter attempt: the result of a handler.
    /// - Returns: the handler that has taken it; nil without one.
    public static func first(
        of handlers: [Handler], until end: Instant, _ attempt: (Handler) async -> DeliveryResult
    ) async -> Handler? {
        for handler in handlers where Instant.now() < end {
            if await attempt(handler) == .ok { return handler }
        }
        return nil
    }
}
