import Testing

@testable import SwitchyardConfiguration

@Suite("Durations, sizes, rates") struct QuantityTests {
    @Test(
        "durations need a unit",
        arguments: [
            ("500ms", .milliseconds(500)), ("30s", .seconds(30)), ("10m", .seconds(600)), ("1h", .seconds(3600)),
            ("30", nil), ("s", nil), ("-1s", nil), ("1.5s", nil), ("1 s", nil), ("1d", nil), ("1S", nil),
            ("99999999999999999999s", nil), ("9223372036854775807h", nil),
        ] as [(String, Duration?)])
    func durations(text: String, expected: Duration?) {
        #expect(Quantity.duration(text) == expected)
    }

    @Test(
        "sizes are bytes or binary multiples",
        arguments: [
            ("4096", 4096), ("64KiB", 65_536), ("1MiB", 1_048_576), ("2GiB", 2_147_483_648), ("12B", 12),
            ("64K", nil), ("64kb", nil), ("", nil), ("-1", nil), ("9223372036854775807MiB", nil),
        ] as [(String, Int?)])
    func sizes(text: String, expected: Int?) {
        #expect(Quantity.size(text) == expected)
    }

    @Test(
        "rates are plain decimal numbers",
        arguments: [("20", 20), ("0.5", 0.5), ("1e3", nil), ("-1", nil), ("inf", nil), (".", nil), ("0x10", nil)]
            as [(String, Double?)])
    func rates(text: String, expected: Double?) {
        #expect(Quantity.rate(text) == expected)
    }

    @Test("a duration is spelled as it is read", arguments: ["500ms", "1500ms", "90s", "10m", "24h", "0s"])
    func spelling(text: String) throws {
        #expect(Quantity.spell(try #require(Quantity.duration(text))) == text)
    }
}
