internal import SwitchyardGateway
internal import SwitchyardOAuth
internal import SwitchyardReactor
internal import Synchronization

/// The renewals of tokens that are under way: one for each sign-in, which all that ask meanwhile share. Safe from any
/// thread.
final class Renewals: Sendable {
    typealias Outcome = Result<KeptGrant?, SignInFailure>

    private let underWay = Mutex<[KeptGrant.Key: Promise<Outcome>]>([:])

    /// Runs `work`, or waits for the one that runs already.
    func share(_ key: KeptGrant.Key, _ work: @escaping @Sendable () async -> Outcome) async -> Outcome {
        let (promise, isFirst) = underWay.withLock { underWay in
            if let promise = underWay[key] { return (promise, false) }
            let promise = Promise<Outcome>()
            underWay[key] = promise
            return (promise, true)
        }
        guard isFirst, let loop = EventLoop.current else { return await promise.value }
        // The work goes on if the program that asked first goes away.
        loop.start { [self] in
            let outcome = await work()
            _ = underWay.withLock { $0.removeValue(forKey: key) }
            promise.fulfil(outcome)
        }
        return await promise.value
    }
}
