import Synchronization
import Testing

@testable import SwitchyardClient

@Suite("What is told")
struct ClientLogTests {
    private final class Lines: Sendable {
        let all = Mutex<[LoggingConfiguration.Message]>([])
    }

    private func log(_ change: (inout LoggingConfiguration) -> Void = { _ in }) -> (ClientLog, Lines) {
        let lines = Lines()
        var configuration = LoggingConfiguration()
        configuration.callback = { message in lines.all.withLock { $0.append(message) } }
        change(&configuration)
        return (ClientLog(configuration), lines)
    }

    @Test("names nobody unless it is asked to, and tells people apart")
    func masked() {
        let (log, lines) = log()
        log.info("\(person: "ada@contoso.example") and \(person: "ADA@contoso.example") and \(person: "bob")")
        let line = lines.all.withLock { $0[0] }
        let words = line.text.split(separator: " ")
        #expect(!line.containsPersonalData && !line.text.lowercased().contains("ada") && !line.text.contains("bob"))
        #expect(words[0] == words[2] && words[0].hasSuffix("@contoso.example") && words[4].hasPrefix("masked-"))
    }

    @Test("says so where it names somebody")
    func plain() {
        let (log, lines) = log { $0.masksPersonalData = false }
        log.info("\(person: "ada@contoso.example")")
        log.info("nobody")
        #expect(lines.all.withLock { $0.map(\.text) } == ["ada@contoso.example", "nobody"])
        #expect(lines.all.withLock { $0.map(\.containsPersonalData) } == [true, false])
    }

    @Test("is no more than the level asks for", arguments: LoggingConfiguration.Level.allCases)
    func levels(level: LoggingConfiguration.Level) {
        let (log, lines) = log { $0.level = level }
        log.error("e")
        log.warning("w")
        log.info("i")
        log.verbose("v")
        #expect(lines.all.withLock { $0.count } == level.name.rawValue)
    }

    @Test("stays on one line, whatever is in it")
    func oneLine() {
        let (log, lines) = log()
        log.info("\("a\nb\u{1B}[31m\u{85}")")
        #expect(lines.all.withLock { $0[0].text } == "a?b?[31m?")
    }
}
