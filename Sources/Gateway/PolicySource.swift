internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardPendingRequests
internal import Synchronization

/// The configuration's policy for requests, with the key that seals if the configuration has no key. Safe from any
/// thread.
final class PolicySource: Sendable {
    private struct State {
        var configuration: Configuration
        /// A random key, which ends with the process.
        let ephemeralKey = KeyRing.Key.ephemeral()
        /// The key of a store that has one, once the store is open. No request begins before that.
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

    /// Takes the configuration of a reload.
    func adopt(_ configuration: Configuration) {
        change { $0.configuration = configuration }
    }

    /// Takes the key of a store that has one.
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
