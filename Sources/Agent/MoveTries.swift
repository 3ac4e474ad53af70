internal import SwitchyardGateway
internal import SwitchyardReactor
internal import Synchronization

/// Tries to move tokens from memory into the storage, at growing pauses. Safe from any thread.
final class MoveTries: Sendable {
    private static let pauses = (first: Duration.seconds(1), longest: Duration.seconds(30))

    private let isUnderWay = Mutex(false)
    private let tellPerson: @Sendable (KeepingProblem) async -> Void

    init(tellingPerson tellPerson: @escaping @Sendable (KeepingProblem) async -> Void) {
        self.tellPerson = tellPerson
    }

    /// Tells the person of the problem, and begins the tries on this loop. Has no effect while they go on.
    /// - Parameters:
    ///   - isNeeded: whether tokens are left in memory.
    ///   - move: tries once.
    func begin(
        because problem: KeepingProblem, while isNeeded: @escaping @Sendable () -> Bool,
        _ move: @escaping @Sendable () async -> Void
    ) {
        guard let loop = EventLoop.current else { return }
        let isFirst = isUnderWay.withLock { isUnderWay in
            defer { isUnderWay = true }
            return !isUnderWay
        }
        guard isFirst else { return }
        loop.start { [tellPerson] in await tellPerson(problem) }
        loop.start { [self] in
            var pause = Self.pauses.first
            // Asked under the lock, so that tokens that come now either keep these tries going or begin new ones.
            while isUnderWay.withLock({ isUnderWay in
                isUnderWay = isNeeded()
                return isUnderWay
            }) {
                await EventLoop.sleep(until: .now() + pause)
                await move()
                pause = min(pause * 2, Self.pauses.longest)
            }
        }
    }
}
