import SwitchyardConfiguration
import SwitchyardHTTP
import Testing

@Suite("Limits") struct LimitsTests {
    @Test("every limit can be set")
    func every() throws {
        let limits = try Sample(
            more: """
                limits:
                  request_lifetime: 1s
                  result_lifetime: 2s
                  release_lifetime: 3s
                  requests: 4
                  requests_per_app: 5
                  requests_per_address: 6
                  requests_per_network: 66
                  waiting_per_address: 7
                  connections: 8
                  connections_per_address: 9
                  connections_per_network: 99
                  unfinished_bytes: 1MiB
                  begin_rate: 10.5
                  callback_rate: 11
                  collect_rate: 12
                  request_line_bytes: 12KiB
                  header_bytes: 13KiB
                  body_bytes: 14KiB
                  kept_bytes: 1MiB
                  kept_bytes_per_address: 32KiB
                  kept_bytes_per_network: 48KiB
                  issuer_timeout: 1500ms
                  issuer_bytes: 2MiB
                """
        ).configuration().limits
        var expected = Limits()
        (expected.requestLifetime, expected.resultLifetime, expected.releaseLifetime) = (
            .seconds(1), .seconds(2), .seconds(3)
        )
        (expected.requests, expected.requestsPerApp, expected.requestsPerAddress) = (4, 5, 6)
        (expected.waitingPerAddress, expected.connections, expected.connectionsPerAddress) = (7, 8, 9)
        (expected.beginRate, expected.callbackRate, expected.collectRate) = (10.5, 11, 12)
        (expected.http.headerBytes, expected.http.bodyBytes) = (13 << 10, 14 << 10)
        expected.http.requestLineBytes = 12 << 10
        (expected.keptBytes, expected.keptBytesPerAddress) = (1 << 20, 32 << 10)
        (expected.requestsPerNetwork, expected.connectionsPerNetwork, expected.keptBytesPerNetwork) = (66, 99, 48 << 10)
        expected.unfinishedBytes = 1 << 20
        (expected.issuerTimeout, expected.issuerBytes) = (.milliseconds(1500), 2 << 20)
        #expect(limits == expected)
    }

    @Test("the defaults are those of the reference")
    func defaults() {
        let limits = Limits()
        #expect(limits.requestLifetime == .seconds(600))
        #expect(limits.resultLifetime == .seconds(60))
        #expect(limits.releaseLifetime == .seconds(300))
        #expect(limits.requestsPerApp == 10_000)
        #expect(limits.requestsPerAddress == 500)
        #expect(limits.http.headerBytes == 16_384)
        #expect(limits.http.requestLineBytes == 16_384)
        #expect(limits.http.bodyBytes == 65_536)
        #expect(limits.keptBytes == 512 << 20)
        #expect(limits.keptBytesPerAddress == 32 << 20)
        #expect(limits.unfinishedBytes == 128 << 20)
        #expect(limits.issuerTimeout == .seconds(10))
        #expect(limits.issuerBytes == 1_048_576)
    }

    @Test("a network may have a third of the whole by default, and never less than one of its addresses")
    func networks() throws {
        func limits(_ text: String) throws -> Limits {
            try Sample(more: "limits: { \(text) }").configuration().limits
        }
        #expect(try limits("requests: 100000") == Limits())
        #expect(Limits().requestsPerNetwork == 3333 && Limits().connectionsPerNetwork == 3333)
        let small = try limits("requests: 900, connections: 900, kept_bytes: 48MiB")
        #expect(small.requestsPerNetwork == 500 && small.connectionsPerNetwork == 1000)
        #expect(small.keptBytesPerNetwork == 32 << 20)
        #expect(try limits("requests: 900, requests_per_network: 7").requestsPerNetwork == 7)
    }

    @Test(
        "a value out of range or of the wrong kind is refused with the range",
        arguments: [
            ("request_lifetime: 500ms", "from 1s to 24h"),
            // The examples are in the range.
            ("request_lifetime: 600", "from 1s to 24h, such as 30s, 10m or 1h"),
            ("issuer_timeout: 10", "from 100ms to 2m, such as 500ms or 30s"),
            ("header_bytes: 2GiB", "from 1KiB to 1MiB, such as 4096, 64KiB or 1MiB"),
            ("requests: 0", "from 1 to"), ("requests: 1.5", "whole number"), ("requests: ten", "whole number"),
            ("begin_rate: 0", "from 0.01"), ("header_bytes: 16", "from 1KiB to 1MiB"),
            ("header_bytes: 1GiB", "from 1KiB"),
            ("issuer_timeout: 1h", "from 100ms to 2m"), ("connections: [1]", "from 1 to"), ("connections:", "nothing"),
        ])
    func refused(line: String, words: String) {
        let outcome = Sample(more: "limits:\n  \(line)").load()
        #expect(outcome.hasOnlyError(containing: words), "\(outcome.errors)")
    }
}
