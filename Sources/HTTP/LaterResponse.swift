/// An answer that is not there yet. Meanwhile its connection has neither a task nor a stack, so that a waiting app costs
/// little more than its TLS session. Called on the connection's loop.
public protocol LaterResponse: AnyObject, Sendable {
    /// - Parameter tell: to be called once, on any thread, when ``respond(to:)`` shall be asked; also when the peer goes.
    func whenReady(_ tell: @escaping @Sendable () -> Void)

    /// The answer, which may be later still.
    func respond(to request: Request) async -> Response
}
