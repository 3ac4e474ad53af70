/// Tells of changes that another gateway has made, so that who waits here hears of them. Safe from any thread.
public protocol ChangeFeed: Sendable {
    /// Calls `tell` for each request that another gateway has changed, from now on, and `missed` when any may have changed that
    /// was not told of; on any thread.
    func follow(_ tell: @escaping @Sendable (RequestID) -> Void, missed: @escaping @Sendable () -> Void)

    /// After how long who waits looks again, because what is told may be lost; nil where it cannot.
    var rereadInterval: Duration? { get }
}

extension ChangeFeed {
    /// For a store that belongs to one gateway: there is nobody else to hear of.
    public func follow(_ tell: @escaping @Sendable (RequestID) -> Void, missed: @escaping @Sendable () -> Void) {}

    /// nil: nothing can be missed.
    public var rereadInterval: Duration? { nil }
}
