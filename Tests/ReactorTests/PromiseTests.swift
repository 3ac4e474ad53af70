import SwitchyardReactor
import Synchronization
import TestSupport
import Testing

@Suite("Promise") struct PromiseTests {
    @Test("keeps its first value")
    func firstValue() {
        let promise = Promise<Int>()
        #expect(promise.current == nil)
        #expect(promise.fulfil(1))
        #expect(!promise.fulfil(2))
        #expect(promise.current == 1)
    }

    @Test("fulfils all waiting tasks, and later ones at once")
    func many() async throws {
        let promise = Promise<Int>()
        let sum = Mutex(0)
        for factor in [1, 10] { promise.whenFulfilled { value in sum.withLock { $0 += value * factor } } }
        let tasks = (0..<3).map { _ in Task { await promise.value } }
        promise.fulfil(7)
        for task in tasks { #expect(await task.value == 7) }
        promise.whenFulfilled { value in sum.withLock { $0 += value * 100 } }
        #expect(sum.withLock(\.self) == 777)
    }

    @Test("a wait ends at its deadline, and another one goes on")
    func deadline() async throws {
        let test = try TestLoop()
        let promise = Promise<String>()
        await test.run {
            #expect(await promise.value(until: .now() + .milliseconds(10)) == nil)
            let patient = test.loop.start { #expect(await promise.value(until: .now() + .seconds(60)) == "done") }
            #expect(await promise.value(until: .now()) == nil)
            promise.fulfil("done")
            await patient.value
            #expect(await promise.value(until: .now()) == "done")
        }
    }

    @Test("another thread brings the value")
    func otherThread() async throws {
        let test = try TestLoop()
        await test.run {
            for number in 0..<100 {
                let promise = Promise<Int>()
                Task.detached { promise.fulfil(number) }
                #expect(await promise.value(until: .now() + .seconds(60)) == number)
            }
        }
    }
}
