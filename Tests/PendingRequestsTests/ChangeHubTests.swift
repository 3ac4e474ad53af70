import SwitchyardReactor
import TestSupport
import Testing

@testable import SwitchyardPendingRequests

@Suite("Change hub") struct ChangeHubTests {
    /// Which of the signals are up.
    private func raised(_ signals: [Signal]) async throws -> [Bool] {
        let test = try TestLoop()
        return await test.run {
            var raised: [Bool] = []
            for signal in signals { raised.append(await signal.wait(until: Instant(nanoseconds: 0))) }
            return raised
        }
    }

    @Test("a change wakes everybody who watches that request, and nobody else")
    func notify() async throws {
        let hub = ChangeHub()
        let (watched, other) = (RequestID(), RequestID())
        let signals = [Signal(), Signal(), Signal()]
        hub.watch(watched, signals[0])
        hub.watch(watched, signals[1])
        hub.watch(other, signals[2])
        hub.notify(watched)
        #expect(try await raised(signals) == [true, true, false])
    }

    @Test("who stopped watching is not woken, and the others still are")
    func stop() async throws {
        let hub = ChangeHub()
        let id = RequestID()
        let signals = [Signal(), Signal()]
        for signal in signals { hub.watch(id, signal) }
        hub.stop(id, signals[0])
        hub.stop(id, signals[0])
        hub.notify(id)
        #expect(try await raised(signals) == [false, true])
    }

    @Test("a stopping gateway wakes everybody")
    func notifyAll() async throws {
        let hub = ChangeHub()
        let signals = (0..<40).map { _ in Signal() }
        for signal in signals { hub.watch(RequestID(), signal) }
        hub.notifyAll()
        #expect(try await raised(signals).allSatisfy { $0 })
    }
}
