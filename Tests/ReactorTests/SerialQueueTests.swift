import SwitchyardReactor
import Synchronization
import TestSupport
import Testing

@Suite("Serial queue") struct SerialQueueTests {
    private struct Failed: Error {}

    private final class Story: Sendable {
        let words = Mutex<[String]>([])
        let isOver = Promise<Void>()

        func say(_ word: String) { words.withLock { $0.append(word) } }
    }

    @Test("tasks run one after the other, in their order, also after one that fails")
    func order() async throws {
        let test = try TestLoop()
        let (queue, story) = (SerialQueue(), Story())
        await test.run {
            for number in 0..<4 {
                test.loop.start {
                    try? await queue.run {
                        story.say("\(number) begins")
                        // Others have the loop meanwhile.
                        await EventLoop.sleep(until: .now() + .milliseconds(5))
                        story.say("\(number) ends")
                        if number == 1 { throw Failed() }
                    }
                    if number == 3 { story.isOver.fulfil(()) }
                }
            }
            await story.isOver.value
            // It is free again.
            await queue.run { story.say("over") }
        }
        #expect(story.words.withLock(\.self) == (0..<4).flatMap { ["\($0) begins", "\($0) ends"] } + ["over"])
    }
}
