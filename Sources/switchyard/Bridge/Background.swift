internal import SwitchyardReactor
internal import Synchronization

/// Work that blocks, on a loop of its own.
enum Background {
    private static let loop: EventLoop? = {
        guard let group = try? EventLoopGroup(count: 1), (try? group.start()) != nil else { return nil }
        return group.loops[0]
    }()

    /// Only from a task of a loop.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        guard let loop else { return body() }
        let work = BackgroundResult<Value>()
        loop.execute { work.set(body()) }
        return await work.value
    }
}

private final class BackgroundResult<Value: Sendable>: Sendable {
    private let result = Mutex<Value?>(nil)
    private let signal = Signal()

    func set(_ value: Value) {
        result.withLock { $0 = value }
        signal.raise()
    }

    var value: Value {
        get async {
            while true {
                if let value = result.withLock({ $0 }) { return value }
                _ = await signal.wait()
            }
        }
    }
}
