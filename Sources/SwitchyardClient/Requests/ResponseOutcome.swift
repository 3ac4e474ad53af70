/// What became of a callback that was given to ``PublicClientApplication/handleResponse(_:sourceApplication:)``.
public enum ResponseOutcome: Sendable, Hashable {
    /// A request waited for it and goes on with it, to tokens or to an error.
    case completed
    /// It is not this application's redirect URI. Offer it to whoever else may want it.
    case notMine
    /// Nothing waits: it was not asked for, or the process that asked is gone.
    case noPendingRequest
    /// It was taken before. Nothing happened.
    case alreadyConsumed
    /// No request that waits has its state. They wait on.
    case stateMismatch
    /// The request that it belongs to took too long.
    case expired
    /// It is no authorization response, or not one of the issuer that was asked. What waits, waits on.
    case malformed(reason: String)

    /// The answer of MSAL's `handleMSALResponse`: whether the URL was ours and a request goes on with it.
    public var wasHandled: Bool { self == .completed }
}
