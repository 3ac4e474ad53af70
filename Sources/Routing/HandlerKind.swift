public import SwitchyardOAuth

/// How a callback reaches its app.
public enum HandlerKind: Hashable, Sendable {
    /// A pending token request waits for it.
    case pending
    /// The browser is sent on to `target` with the query as it came; no request is held.
    case redirect(target: RedirectURI)
}
