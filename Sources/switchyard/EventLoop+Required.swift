internal import SwitchyardReactor

extension EventLoop {
    /// The loop of the task that asks.
    static var required: EventLoop {
        guard let loop = current else { preconditionFailure("only from a task of an event loop") }
        return loop
    }
}
