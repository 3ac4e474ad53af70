import SwitchyardReactor
import Testing

@testable import SwitchyardClient

@Suite("The wait for another process's refresh") struct RefreshWaitTests {
    @Test("looks ever more rarely, a last time at its end, and not again")
    func pauses() {
        var (wait, now) = (RefreshWait(seconds: 4), Instant(nanoseconds: 5_000_000_000))
        var pauses: [Duration] = []
        while let next = wait.next(at: now) {
            pauses.append(next - now)
            now = next
        }
        #expect(pauses == [50, 100, 200, 400, 800, 1000, 1000, 450].map { .milliseconds($0) })
        #expect(wait.next(at: now + .seconds(9)) == nil)
    }

    @Test("counts the time that the looks themselves take")
    func slowLooks() {
        let begin = Instant(nanoseconds: 5_000_000_000)
        var wait = RefreshWait(seconds: 4)
        #expect(wait.next(at: begin) == begin + .milliseconds(50))
        #expect(wait.next(at: begin + .milliseconds(3950)) == begin + .seconds(4))
        #expect(wait.next(at: begin + .seconds(4)) == nil)
    }
}
