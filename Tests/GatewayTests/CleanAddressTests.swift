import SwitchyardCrypto
import SwitchyardPendingRequests
import Synchronization
import Testing

@testable import SwitchyardGateway

@Suite("Addresses that hold nothing") struct CleanAddressTests {
    private final class Clock: Sendable {
        let now = Mutex(Timestamp(milliseconds: 1_000_000))
    }

    private let clock = Clock()
    private let registry: RequestRegistry
    private let reference = Reference()

    init() {
        registry = RequestRegistry(
            store: MemoryStore(),
            policy: RequestRegistry.Policy(
                keys: .ephemeral(),
                quota: RequestQuota(total: 1, perApp: 1, perAddress: 1, bytes: 1, bytesPerAddress: 1),
                lifetimes: RequestRegistry.Lifetimes(
                    request: .seconds(600), result: .seconds(60), release: .seconds(300), releaseAttempts: 3,
                    lease: .seconds(60))),
            clock: { [clock] in clock.now.withLock(\.self) })
    }

    @Test("a reference is shown by the address that a gateway made for it, for a few minutes")
    func shown() {
        let sealed = CleanAddress.sealed(reference, of: .unknownState, registry)
        #expect(!sealed.contains("\(reference)"))
        #expect(CleanAddress.reference(in: sealed[...], of: .unknownState, registry) == reference)
        clock.now.withLock { $0 = $0 + .seconds(599) }
        #expect(CleanAddress.reference(in: sealed[...], of: .unknownState, registry) == reference)
        clock.now.withLock { $0 = $0 + .seconds(2) }
        #expect(CleanAddress.reference(in: sealed[...], of: .unknownState, registry) == nil)
    }

    @Test("a reference that somebody else wrote into an address is not shown, nor ours with another refusal")
    func forged() {
        let sealed = CleanAddress.sealed(reference, of: .unknownState, registry)
        #expect(CleanAddress.reference(in: sealed[...], of: .expired, registry) == nil)
        for other in [
            "0155501234", "\(reference)", "", ".", "\(RequestID()).", "\(RequestID())\(sealed.dropFirst(22))",
        ] {
            #expect(CleanAddress.reference(in: other[...], of: .unknownState, registry) == nil, "\(other)")
        }
    }
}
