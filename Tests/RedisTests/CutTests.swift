import SwitchyardReactor
import SwitchyardRedis
import TestSupport
import Testing

@Suite("Connections that are cut", .timeLimit(.minutes(2))) struct CutTests {
    /// Cuts at every byte until there are no more to cut at.
    private func cutEverywhere(_ cut: @escaping @Sendable (Int) -> CuttingProxy.Cut) async throws -> Int {
        let server = try RedisServer()
        let proxy = try CuttingProxy(server.address)
        let test = try TestLoop()
        var offset = 0
        while true {
            let (log, key, at) = (CommandLog(), "log:\(offset)", offset)
            let contradictions = await test.run { () -> [String] in
                let deployment = RedisDeployment(.single(proxy.address), on: test.loop)
                defer { deployment.close() }
                // Connected, and the script is known.
                await CommandLog().write(deployment, to: "other", until: .now() + .seconds(30))
                proxy.arm(cut(at))
                await withDiscardingTaskGroup { group in
                    for _ in 0..<3 {
                        group.addTask { await log.write(deployment, to: key, until: .now() + .seconds(30)) }
                    }
                }
                return await log.contradictions(deployment, keys: [key], isDurable: true)
            }
            #expect(contradictions == [], "cut at \(offset)")
            #expect(log.notDone == [], "cut at \(offset)")
            #expect(log.doneCount + log.unknown.count == 3)
            if !proxy.hasCut() { return offset }
            offset += 1
        }
    }

    @Test(
        "commands that are cut at any byte were executed once, or not, or nobody knows, and that is what is said of them"
    )
    func requests() async throws {
        #expect(try await cutEverywhere { .request($0) } > 250)
    }

    @Test("an answer that is cut at any byte is no answer, and no command gets another one's")
    func answers() async throws {
        #expect(try await cutEverywhere { .answer($0) } > 15)
    }

    @Test("a command whose end never left is not unknown, and is sent again")
    func unsent() async throws {
        let server = try RedisServer()
        let proxy = try CuttingProxy(server.address)
        let test = try TestLoop()
        let key = Array("key".utf8)
        let answers = await test.run { () -> [RedisValue?] in
            let deployment = RedisDeployment(.single(proxy.address), on: test.loop)
            defer { deployment.close() }
            _ = try? await deployment.send(["PING"], key: [], until: .now() + .seconds(30))
            proxy.arm(.stall)
            test.loop.start {
                while !proxy.hasCut() { await EventLoop.sleep(until: .now() + .milliseconds(5)) }
                await EventLoop.sleep(until: .now() + .milliseconds(50))
                proxy.endStall()
            }
            // More than all the buffers on the way take.
            let large = RedisCommand([Array("APPEND".utf8), key, [UInt8](repeating: 1, count: 32 << 20)])
            let answer = try? await deployment.send(large, key: key, until: .now() + .seconds(30))
            return [answer, try? await deployment.send(["STRLEN", "key"], key: key, until: .now() + .seconds(30))]
        }
        #expect(answers == [.integer(32 << 20), .integer(32 << 20)])
    }
}
