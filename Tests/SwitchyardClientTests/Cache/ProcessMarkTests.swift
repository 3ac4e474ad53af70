import Testing

@testable import SwitchyardClient

@Suite("A process's mark")
struct ProcessMarkTests {
    @Test("is not gone as long as the process is there, and is when its number is another's")
    func here() throws {
        let own = try #require(ProcessMark.own)
        #expect(!ProcessMark.isGone(own))
        let parts = own.split(separator: ":")
        #expect(ProcessMark.isGone("\(parts[0]):\(parts[1]):\(parts[2]):1"))
        #expect(ProcessMark.isGone("\(parts[0]):\(parts[1]):4194304:1"))
    }

    @Test("of another machine or container says nothing", arguments: ["", "a", "a:b:c:d", "::1:1", "other:1:999999:1"])
    func unknown(mark: String) {
        #expect(!ProcessMark.isGone(mark))
    }
}
