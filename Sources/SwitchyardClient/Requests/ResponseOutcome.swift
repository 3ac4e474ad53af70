/// The outcome of a callback that was given to ``PublicClientApplication/handleResponse(_:sourceApplication:)``.
///
/// Later versions may add outcomes: an app that switches over it needs a `default`. Two outcomes are equal regardless
/// of their ``reason``.
public struct ResponseOutcome: Hashable, Sendable, CustomStringConvertible {
    /// A request waited for it and continues with it, to tokens or to an error.
    public static var completed: Self { Self(name: .completed) }
    /// The URL is not at this application's redirect URI. Offer it to other receivers.
    public static var notMine: Self { Self(name: .notMine) }
    /// No request waits for it: it was not asked for, or the process that asked is gone.
    public static var noPendingRequest: Self { Self(name: .noPendingRequest) }
    /// The response was accepted before; this copy has no effect.
    public static var alreadyConsumed: Self { Self(name: .alreadyConsumed) }
    /// No request that waits has its state. They wait on.
    public static var stateMismatch: Self { Self(name: .stateMismatch) }
    /// The request that it belongs to took too long, or was canceled.
    public static var expired: Self { Self(name: .expired) }
    /// It is no authorization response, or not one of the issuer that was asked; ``reason`` says why. A waiting request
    /// waits on.
    public static var malformed: Self { Self(name: .malformed) }

    /// The names are those of a gateway's answer to the same callback.
    enum Name: String {
        case completed
        case notMine = "not_mine"
        case noPendingRequest = "no_pending_request"
        case alreadyConsumed = "already_consumed"
        case stateMismatch = "state_mismatch"
        case expired
        case malformed
    }

    let name: Name
    /// With ``malformed``, for developers: its mistake.
    public let reason: String?

    private init(name: Name, reason: String? = nil) {
        self.name = name
        self.reason = reason
    }

    static func malformed(_ reason: String) -> Self { Self(name: .malformed, reason: reason) }

    /// The answer of MSAL's `handleMSALResponse`: whether the URL was ours and a request continues with it.
    public var wasHandled: Bool { self == .completed }

    public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }

    public var description: String { reason.map { "\(name.rawValue): \($0)" } ?? name.rawValue }
}
