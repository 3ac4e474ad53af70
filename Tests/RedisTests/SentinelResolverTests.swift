import Testing

@testable import SwitchyardRedis

@Suite("Finding the primary by Sentinels") struct SentinelResolverTests {
    private let sentinels = (1...3).map { RedisAddress(host: "10.0.0.\($0)", port: 26379) }
    private let old = RedisAddress(host: "10.0.1.1", port: 6379)
    private let new = RedisAddress(host: "10.0.1.2", port: 6379)

    private func resolver() -> SentinelResolver { SentinelResolver(sentinels: sentinels, name: "main") }

    private func named(_ address: RedisAddress) -> RedisValue {
        .array([.bytes(Array(address.host.utf8)), .bytes(Array("\(address.port)".utf8))])
    }

    private func announcement(of group: String = "main") -> [UInt8] {
        Array("\(group) \(old.host) \(old.port) \(new.host) \(new.port)".utf8)
    }

    private let isPrimary = RedisValue.array([.bytes(Array("master".utf8)), .integer(7), .array([])])
    private let isReplica = RedisValue.array([.bytes(Array("slave".utf8)), .bytes([]), .integer(1)])

    @Test("the primary is the server that a Sentinel names and that confirms it")
    func resolve() {
        var resolver = resolver()
        #expect(resolver.question == ["SENTINEL", "get-master-addr-by-name", "main"])
        #expect(resolver.step == .ask(sentinel: sentinels[0]))
        resolver.sentinelAnswered(named(old))
        #expect(resolver.step == .verify(old))
        resolver.serverAnswered(isPrimary, old)
        #expect(resolver.step == .found(old))
    }

    @Test("a Sentinel that is gone, or knows nothing, is passed over, and who answered is asked first the next time")
    func nextSentinel() {
        var resolver = resolver()
        resolver.sentinelAnswered(nil)
        #expect(resolver.step == .ask(sentinel: sentinels[1]))
        resolver.sentinelAnswered(.null)
        #expect(resolver.step == .ask(sentinel: sentinels[2]))
        resolver.sentinelAnswered(named(old))
        resolver.serverAnswered(isPrimary, old)
        resolver.begin()
        #expect(resolver.step == .ask(sentinel: sentinels[2]))
    }

    @Test("a Sentinel that names the old primary is not believed, and the others are asked, each once")
    func staleSentinel() {
        var resolver = resolver()
        resolver.sentinelAnswered(nil)
        resolver.sentinelAnswered(named(old))
        resolver.serverAnswered(isReplica, old)
        #expect(resolver.step == .ask(sentinel: sentinels[2]))
        resolver.sentinelAnswered(named(new))
        resolver.serverAnswered(isPrimary, new)
        #expect(resolver.step == .found(new))
    }

    @Test("a server that does not answer is no primary, and is not tried twice in a round")
    func silentServer() {
        var resolver = resolver()
        resolver.sentinelAnswered(named(old))
        resolver.serverAnswered(nil, old)
        #expect(resolver.step == .ask(sentinel: sentinels[1]))
        resolver.sentinelAnswered(named(old))
        #expect(resolver.step == .ask(sentinel: sentinels[2]))
    }

    @Test("after all were asked in vain the round is over, and the next one asks all again")
    func rounds() {
        var resolver = resolver()
        for _ in 1...2 {
            for sentinel in sentinels {
                #expect(resolver.step == .ask(sentinel: sentinel))
                resolver.sentinelAnswered(nil)
            }
            #expect(resolver.step == .giveUp)
            resolver.begin()
        }
    }

    @Test("whom a Sentinel announces is looked at first, and believed no earlier than any other")
    func announced() {
        var resolver = resolver()
        resolver.sentinelAnswered(named(old))
        resolver.serverAnswered(isPrimary, old)
        #expect(resolver.announced(announcement()) == new)
        resolver.begin()
        #expect(resolver.step == .verify(new))
        resolver.serverAnswered(isReplica, new)
        #expect(resolver.step == .ask(sentinel: sentinels[0]))
    }

    @Test("an answer of the old primary that comes after the new one was announced counts for nothing")
    func overtaken() {
        var resolver = resolver()
        resolver.sentinelAnswered(named(old))
        _ = resolver.announced(announcement())
        resolver.serverAnswered(isPrimary, old)
        #expect(resolver.step == .verify(new))
    }

    @Test("announcements of other groups, and malformed ones, are ignored")
    func otherGroup() {
        var resolver = resolver()
        resolver.sentinelAnswered(named(old))
        resolver.serverAnswered(isPrimary, old)
        #expect(resolver.announced(announcement(of: "other")) == nil)
        #expect(resolver.announced(Array("main 10.0.1.1 6379 10.0.1.2 x".utf8)) == nil)
        #expect(resolver.announced([]) == nil)
        #expect(resolver.step == .found(old))
    }
}
