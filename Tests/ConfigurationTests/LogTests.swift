import SwitchyardConfiguration
import Testing

@Suite("The log's configuration") struct LogTests {
    @Test(
        "format and level are read, and have defaults",
        arguments: [
            ("{}", .logfmt, .info), ("{ format: json }", .json, .info), ("{ level: debug }", .logfmt, .debug),
            ("{ format: logfmt, level: error }", .logfmt, .error), ("{ level: warning }", .logfmt, .warning),
        ] as [(String, LogConfiguration.Format, LogConfiguration.Level)])
    func read(written: String, format: LogConfiguration.Format, level: LogConfiguration.Level) throws {
        let log = try Sample(more: "log: \(written)").configuration().log
        #expect(log.format == format)
        #expect(log.level == level)
    }

    @Test(
        "what is none of the words is refused",
        arguments: [
            ("{ format: xml }", "format: \"xml\"; write logfmt or json"),
            ("{ level: warn }", "level: \"warn\""), ("{ level: jsno }", "level: \"jsno\""),
            ("{ levle: info }", "unknown key \"levle\"; did you mean \"level\"?"), ("json", "a mapping belongs"),
        ])
    func refused(written: String, words: String) {
        let outcome = Sample(more: "log: \(written)").load()
        #expect(outcome.hasOnlyError(containing: words), "\(outcome.errors)")
    }

    @Test("the levels are in order, the gravest last")
    func order() {
        #expect(LogConfiguration.Level.allCases.sorted() == [.debug, .info, .warning, .error])
    }
}
