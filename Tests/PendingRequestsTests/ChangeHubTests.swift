import SwitchyardReactor
import TestSupport
import Testing

@testable import SwitchyardPendingRequests

@Suite("Change hub") struct ChangeHubTests {
    private let hub = ChangeHub()

    private func watch(_ id: RequestID) -> RequestWatch { hub.watch(id, since: hub.revision(id)) }

    /// Which of the signals are up.
    private func raised(_ watches: [RequestWatch]) async throws -> [Bool] {
        let test = try TestLoop()
        return await test.run {
            var raised: [Bool] = []
            for watch in watches { raised.append(await watch.signal.wait(until: Instant(nanoseconds: 0))) }
            return raised
        }
    }

    @Test("a change wakes everybody who watches that request, and nobody else")
    func notify() async throws {
        let (watched, other) = (RequestID(), RequestID())
        let watches = [watch(watched), watch(watched), watch(other)]
        hub.notify(watched)
        #expect(try await raised(watches) == [true, true, false])
    }

    @Test("a watch that ended is not woken, and the others still are")
    func stop() async throws {
        let id = RequestID()
        let watches = [watch(id), watch(id)]
        hub.stop(watches[0])
        hub.stop(watches[0])
        hub.notify(id)
        #expect(try await raised(watches) == [false, true])
    }

    @Test("a change between the look at a request and the watch wakes at once")
    func changeBefore() async throws {
        let id = RequestID()
        let mark = hub.revision(id)
        hub.notify(id)
        #expect(try await raised([hub.watch(id, since: mark)]) == [true])
        let later = hub.revision(id)
        hub.notifyAll()
        #expect(try await raised([hub.watch(id, since: later)]) == [true])
    }

    @Test("a stopping gateway wakes everybody")
    func notifyAll() async throws {
        let watches = (0..<40).map { _ in watch(RequestID()) }
        hub.notifyAll()
        #expect(try await raised(watches).allSatisfy { $0 })
    }
}
