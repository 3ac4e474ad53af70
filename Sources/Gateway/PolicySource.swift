internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardPendingRequests
internal import Synchronization

/// The configuration's policy for requests, with the key that seals if the configuration has no key. Safe from any
/// thread.
final class PolicySource: Sendable {
    private struct State {
        var configuration: Configuration
        /// Gone with the process.
        let ephemeralKey = KeyRing.Key.ephemeral()
        /// One that outlives it, from a store that has one, once that is open. No request is begun before.
        var storeKey: KeyRing.Key?
        var tell: (@Sendable (RequestRegistry.Policy) -> Void)?
    }

    private let state: Mutex<State>

    init(_ configuration: Configuration) {
        state = Mutex(State(configuration: configuration))
    }

    var configuration: Configuration { state.withLock(\.configuration) }

    var policy: RequestRegistry.Policy { state.withLock { Self.policy($0) } }

    /// Calls `tell` with the policy, now and whenever there is another.
    func follow(_ tell: @escaping @Sendable (RequestRegistry.Policy) -> Void) {
        change { $0.tell = tell }
    }

    /// After a reload.
    func adopt(_ configuration: Configuration) {
        change { $0.configuration = configuration }
    }

    /// From a store that keeps a key of its own.
    func adopt(ownKey: KeyRing.Key) {
        change { $0.storeKey = ownKey }
    }

    /// Told under the lock, so that an older policy never comes behind a newer one.
    private func change(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            state.tell?(Self.policy(state))
        }
    }

    private static func policy(_ state: State) -> RequestRegistry.Policy {
        let limits = state.configuration.limits
        return RequestRegistry.Policy(
            keys: KeyRing(
                state.configuration.encryptionKeys + [state.storeKey].compactMap(\.self), last: state.ephemeralKey),
            quota: RequestQuota(
                total: limits.requests, perApp: limits.requestsPerApp, perAddress: limits.requestsPerAddress,
                perNetwork: limits.requestsPerNetwork, bytes: limits.keptBytes,
                bytesPerAddress: limits.keptBytesPerAddress, bytesPerNetwork: limits.keptBytesPerNetwork),
            lifetimes: RequestRegistry.Lifetimes(
                request: limits.requestLifetime, result: limits.resultLifetime, release: limits.releaseLifetime,
                releaseAttempts: limits.releaseAttempts, lease: limits.issuerTimeout + .seconds(5)))
    }
}
