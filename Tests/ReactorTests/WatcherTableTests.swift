import Testing

@testable import SwitchyardReactor

@Suite("Watcher table") struct WatcherTableTests {
    private final class Dummy: Watcher {
        func isReady(_ events: Readiness) {}
    }

    @Test("a token names its watcher until the watch ends")
    func life() {
        var table = WatcherTable()
        let watcher = Dummy()
        let token = table.insert(watcher)
        #expect(table[token] === watcher)
        #expect(!table.isEmpty)
        table.remove(token)
        #expect(table[token] == nil)
        #expect(table.isEmpty)
    }

    @Test("the token of an ended watch finds no watcher, also if its place is used again")
    func staleToken() {
        var table = WatcherTable()
        let stale = table.insert(Dummy())
        table.remove(stale)
        let next = Dummy()
        let fresh = table.insert(next)
        #expect(table[stale] == nil)
        table.remove(stale)
        #expect(table[fresh] === next)
    }

    @Test("a token that was never given finds no watcher", arguments: [0, 1, 1 << 32, UInt64.max])
    func unknownToken(token: UInt64) {
        var table = WatcherTable()
        #expect(table[token] == nil)
        table.remove(token)
        #expect(table.all.isEmpty)
    }
}
