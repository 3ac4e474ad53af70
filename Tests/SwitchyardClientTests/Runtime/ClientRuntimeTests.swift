import Glibc
import SwitchyardReactor
import Synchronization
import Testing

@testable import SwitchyardClient

@Suite("The library's threads")
struct ClientRuntimeTests {
    private let runtime: ClientRuntime

    init() throws {
        runtime = try #require(ClientRuntime.shared)
    }

    @Test("go on while a closure of the app blocks", .timeLimit(.minutes(1)))
    func blockingClosure() async throws {
        let wasHere = Flag()
        let runtime = runtime
        let blocked = Task {
            try await runtime.run { () async throws(AuthenticationError) in
                try await runtime.askApp(before: .never) {
                    while !wasHere.isUp { usleep(1000) }
                    return true
                }
            }
        }
        try await runtime.run { () async throws(AuthenticationError) in wasHere.raise() }
        #expect(try await blocked.value)
    }

    @Test("leave work that nobody waits for any more to itself", .timeLimit(.minutes(1)))
    func canceledWait() async throws {
        let end = Signal()
        let (runtime, isCanceled) = (runtime, Promise<Bool>())
        let caller = Task { () async -> AuthenticationError.Code? in
            do throws(AuthenticationError) {
                try await runtime.runDetachably { () async throws(AuthenticationError) in
                    _ = await end.wait()
                    isCanceled.fulfil(Task.isCancelled)
                }
                return nil
            } catch {
                return error.code
            }
        }
        caller.cancel()
        #expect(await caller.value == .userCanceled)
        end.raise()
        #expect(await isCanceled.value)
    }
}

private final class Flag: Sendable {
    private let state = Atomic(false)

    var isUp: Bool { state.load(ordering: .relaxed) }

    func raise() {
        state.store(true, ordering: .relaxed)
    }
}
