public import SwitchyardReactor

/// An event loop on a thread of its own, for as long as a test holds it.
public final class TestLoop: Sendable {
    public let loop: EventLoop
    private let group: EventLoopGroup

    public init() throws {
        group = try EventLoopGroup(count: 1)
        loop = group.loops[0]
        try group.start()
    }

    deinit {
        group.stop()
    }

    /// Runs `body` as a task of the loop.
    public func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        await loop.perform(body)
    }
}
