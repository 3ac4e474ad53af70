import SwitchyardReactor
import SwitchyardRedis
import Synchronization
import TestSupport

/// Numbers that are written to lists by a deployment, each once, and what was said of each: to be held against what
/// the lists have in the end.
final class CommandLog: Sendable {
    private struct State {
        var next = 0
        var done: Set<Int> = []
        var unknown: Set<Int> = []
        var notDone: Set<Int> = []
        var misanswered: [String] = []
        var running = 0
        var isStopping = false
    }

    private let state = Mutex(State())
    private static let script = RedisScript("redis.call('RPUSH', KEYS[1], ARGV[1]) return ARGV[1]")

    var doneCount: Int { state.withLock { $0.done.count } }

    var notDone: Set<Int> { state.withLock { $0.notDone } }

    var unknown: Set<Int> { state.withLock { $0.unknown } }

    /// Writes the next number.
    func write(_ deployment: RedisDeployment, to key: String, until deadline: Instant) async {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        do throws(RedisError) {
            let answer = try await deployment.run(
                Self.script, keys: [Array(key.utf8)], arguments: [Array("\(number)".utf8)], until: deadline)
            state.withLock { state in
                state.done.insert(number)
                if answer.text != "\(number)" { state.misanswered.append("\(number): \(answer)") }
            }
        } catch {
            let isUnknown = if case .outcomeUnknown = error { true } else { false }
            state.withLock { state in
                _ = isUnknown ? state.unknown.insert(number) : state.notDone.insert(number)
            }
        }
    }

    /// Writes to each of the keys, over and over, until ``stop()``. Once only.
    func keepWriting(_ deployment: RedisDeployment, to keys: [String], on loop: EventLoop) {
        state.withLock { $0.running = keys.count }
        for key in keys { loop.start { [self] in await keepWriting(deployment, to: key) } }
    }

    private func keepWriting(_ deployment: RedisDeployment, to key: String) async {
        while !state.withLock({ $0.isStopping }) {
            await write(deployment, to: key, until: .now() + .seconds(60))
            await EventLoop.sleep(until: .now() + .milliseconds(2))
        }
        state.withLock { $0.running -= 1 }
    }

    /// Writes no more, and waits until the last number is decided.
    func stop() async {
        state.withLock { $0.isStopping = true }
        while state.withLock({ $0.running > 0 }) { await EventLoop.sleep(until: .now() + .milliseconds(5)) }
    }

    /// Waits until some more numbers were written, whatever happened meanwhile.
    func waitForMore(_ count: Int = 50) async {
        let before = doneCount
        while doneCount < before + count { await EventLoop.sleep(until: .now() + .milliseconds(5)) }
    }

    /// The broken promises, in words.
    /// - Parameter isDurable: whether executed commands must last; a fail-over may lose them.
    func contradictions(_ deployment: RedisDeployment, keys: [String], isDurable: Bool) async -> [String] {
        var times: [Int: Int] = [:]
        var found: [String] = []
        for key in keys {
            // The connection may be on its end.
            var list: RedisValue?
            for _ in 0..<20 where list == nil {
                list = try? await deployment.send(
                    ["LRANGE", key, "0", "-1"], key: Array(key.utf8), until: .now() + .seconds(60))
            }
            guard let list else { return ["the list cannot be read"] }
            for number in list.array ?? [] { times[Int(number.integer ?? 0), default: 0] += 1 }
        }
        let state = state.withLock { $0 }
        found += state.misanswered
        for (number, count) in times where count > 1 { found.append("\(number) was written \(count) times") }
        for number in state.notDone where times[number] != nil { found.append("\(number) was not sent, but is there") }
        if isDurable { for number in state.done where times[number] == nil { found.append("\(number) is lost") } }
        return found
    }
}
