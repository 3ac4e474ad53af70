import SwitchyardReactor
import Synchronization
import TestSupport
import Testing

@testable import SwitchyardAgent

@Suite("Turns") struct TurnsTests {
    private struct Failed: Error {}

    private final class Course: Sendable {
        let words = Mutex<[String]>([])
        let isOver = Signal()

        func say(_ word: String) { words.withLock { $0.append(word) } }
    }

    @Test("come one after the other, in their order, also after one that fails")
    func order() async throws {
        let test = try TestLoop()
        let (turns, course) = (Turns(), Course())
        await test.run {
            for number in 0..<4 {
                test.loop.start {
                    try? await turns.take {
                        course.say("\(number) begins")
                        // Others have the loop meanwhile.
                        await EventLoop.sleep(until: .now() + .milliseconds(5))
                        course.say("\(number) ends")
                        if number == 1 { throw Failed() }
                    }
                    if number == 3 { course.isOver.raise() }
                }
            }
            _ = await course.isOver.wait()
            // They are free again.
            await turns.take { course.say("over") }
        }
        #expect(course.words.withLock(\.self) == (0..<4).flatMap { ["\($0) begins", "\($0) ends"] } + ["over"])
    }
}
