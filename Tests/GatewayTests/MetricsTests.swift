import SwitchyardConfiguration
import SwitchyardHandlers
import SwitchyardOAuth
import SwitchyardPendingRequests
import SwitchyardReactor
import SwitchyardRedemption
import SwitchyardRouting
import Testing

@testable import SwitchyardGateway

@Suite("Metrics: names and rows") struct MetricsTests {
    private func names(_ names: [String], after previous: KnownNames? = nil) -> KnownNames {
        KnownNames(count: names.count, name: { names[$0] }, number: { names.firstIndex(of: $0) }, after: previous)
    }

    @Test("configured names have their place as number, and all unknown ones share a number")
    func numbers() {
        let names = names(["a", "b"])
        #expect(names.number(of: "a") == 0 && names.number(of: "b") == 1)
        for index in 0..<10_000 { #expect(names.number(of: "unknown \(index)") == 2) }
        #expect(names.count == 3 && names.name(of: 2) == "")
    }

    @Test("counts go with their names when others are configured, and come back with them")
    func renumbering() {
        let first = names(["a", "b", "c"])
        var counts = NamedCounts<AppCounts>()
        counts[0].begun += 1
        counts[2].collected += 2
        counts[first.others].collected += 4
        let second = names(["c", "new"], after: first)
        counts.renumber(from: first, to: second)
        #expect(second.retired == ["a", "b"])
        #expect(counts[0].begun == 0 && counts[0].collected == 2)
        #expect(!counts.hasCounts(1))
        #expect(counts[second.number(of: "a")].begun == 1)
        #expect(counts[second.others].collected == 4)
        counts[1].begun += 8
        let third = names(["new", "b", "a"], after: second)
        counts.renumber(from: second, to: third)
        #expect(third.retired == ["c"])
        #expect(counts[0].begun == 8)
        #expect(counts[2].begun == 1)
        #expect(counts[third.number(of: "c")].collected == 2)
    }

    @Test("names that come and go do not pile up, and a new name begins at zero")
    func bounded() {
        var known = names(["a"])
        var counts = NamedCounts<AppCounts>()
        for round in 0..<3 * KnownNames.maximumRetired {
            let next = names(["app \(round)"], after: known)
            counts.renumber(from: known, to: next)
            known = next
            #expect(!counts.hasCounts(0))
            counts[0].begun += 7
            #expect(counts[0].begun == 7)
        }
        #expect(known.retired.count == KnownNames.maximumRetired)
        #expect(counts.numbers.count == KnownNames.maximumRetired + 1)
        #expect(known.retired.last == "app \(3 * KnownNames.maximumRetired - 2)")
    }

    @Test(
        "a time is in the first class that it is not above, and in the sum",
        arguments: [
            (Duration.zero, 0), (.milliseconds(1), 0), (.microseconds(1001), 1), (.milliseconds(10), 1),
            (.milliseconds(11), 2), (.seconds(3600), 2),
        ])
    func histogram(duration: Duration, place: Int) {
        var times = Histogram(bounds: [0.001, 0.01])
        times.add(duration)
        #expect(times.counts.firstIndex(of: 1) == place && times.count == 1)
        #expect(times.seconds == Double(duration / .microseconds(1)) / 1e6)
    }

    @Test("counts of several loops add up, each by its kind")
    func sums() {
        var (one, other) = (AppCounts(), AppCounts())
        one.callbacks[.accepted] = 1
        one.tokens[.refreshed, default: [:]][.completed] = 2
        other.callbacks[.accepted] = 3
        other.tokens[.refreshed, default: [:]] = [.completed: 4, .failed(.network): 5]
        other.deliveries[.webhook, default: [:]][.ok] = 6
        one.add(other)
        #expect(one.callbacks == [.accepted: 4])
        #expect(one.tokens == [.refreshed: [.completed: 6, .failed(.network): 5]])
        #expect(one.deliveries == [.webhook: [.ok: 6]])
        var times = Histogram(bounds: [1])
        times.add(.seconds(1))
        var more = times
        more.add(.seconds(5))
        times.add(more)
        #expect(times.counts == [2, 1] && times.seconds == 7)
    }

    @Test("a histogram without measurements is empty")
    func empty() {
        let times = Histogram(bounds: [1, 2])
        #expect(times.counts == [0, 0, 0] && times.seconds == 0)
    }

    // MARK: Text

    @Test(
        "OpenMetrics is written to who names it in a version that we write, and to nobody else",
        arguments: [
            (["application/openmetrics-text"], true), (["application/openmetrics-text; version=1.0.0"], true),
            (["Application/OpenMetrics-Text;version=0.0.1;q=0.3, */*;q=0.1"], true),
            (["text/plain", "application/openmetrics-text; version=\"1.0.0\"; charset=utf-8"], true),
            (["application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6"], true),
            ([], false), (["*/*"], false), (["text/plain;version=0.0.4"], false), (["application/*"], false),
            (["application/openmetrics-text;q=0"], false), (["application/openmetrics-text; q=0.000"], false),
            (["application/openmetrics-text;version=2.0.0"], false), (["application/openmetrics-textual"], false),
            (["text/plain; x=\"application/openmetrics-text\""], false), ([""], false), ([",;,"], false),
        ])
    func format(accept: [String], isOpenMetrics: Bool) {
        #expect((MetricsText.Format(accept: accept) == .openMetrics) == isOpenMetrics)
    }

    @Test("a label cannot break out of its quotes or its line, and letters of any language stay as they are")
    func escaping() {
        var text = MetricsText(.prometheus)
        text.sample(.connections, ("listener", "a\\b\"c\nd} 1\n# é"), value: 2)
        let expected = #"switchyard_connections{listener="a\\b\"c\nd} 1\n# é"} 2"# + "\n"
        #expect(String(decoding: text.bytes, as: UTF8.self) == expected)
    }

    @Test("the two formats name a counter's family differently, and its samples alike")
    func families() {
        func text(_ format: MetricsText.Format, _ family: MetricFamily) -> String {
            var text = MetricsText(format)
            text.begin(family)
            text.sample(family, value: 1)
            text.end()
            return String(decoding: text.bytes, as: UTF8.self)
        }
        #expect(text(.openMetrics, .storeFailures).hasPrefix("# TYPE switchyard_store_failures counter\n"))
        #expect(text(.openMetrics, .storeFailures).hasSuffix("\nswitchyard_store_failures_total 1\n# EOF\n"))
        #expect(text(.prometheus, .storeFailures).hasPrefix("# TYPE switchyard_store_failures_total counter\n"))
        #expect(text(.prometheus, .storeFailures).hasSuffix("\nswitchyard_store_failures_total 1\n"))
        #expect(text(.openMetrics, .build).hasPrefix("# TYPE switchyard_build info\n"))
        #expect(text(.prometheus, .build).hasPrefix("# TYPE switchyard_build_info gauge\n"))
    }

    @Test("a family with a unit ends with it, a counter's name never ends with _total twice, and no two are one")
    func names() {
        for family in MetricFamily.allCases {
            if let unit = family.unit { #expect(family.name.hasSuffix("_\(unit)")) }
            #expect(!family.name.hasSuffix("_total") && !family.help.isEmpty && family.help.hasSuffix("."))
        }
        #expect(Set(MetricFamily.allCases.map { $0.name + $0.suffix }).count == MetricFamily.allCases.count)
    }

    @Test("each way in which a callback or a sign-in ends has a name of its own")
    func outcomes() {
        #expect(Set(CallbackOutcome.allCases.map(\.name)).count == CallbackOutcome.allCases.count)
        #expect(Set(SignInResult.allCases.map(\.name)).count == SignInResult.allCases.count)
    }
}
