internal import SwitchyardReactor

/// Work that blocks, on a loop of its own.
enum Background {
    private static let loop: EventLoop? = {
        guard let group = try? EventLoopGroup(count: 1), (try? group.start()) != nil else { return nil }
        return group.loops[0]
    }()

    static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        guard let loop else { return body() }
        return await loop.perform { body() }
    }
}
