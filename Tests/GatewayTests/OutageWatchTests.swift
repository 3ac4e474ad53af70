import SwitchyardReactor
import SwitchyardRedemption
import Testing

@testable import SwitchyardGateway

@Suite("Outages") struct OutageWatchTests {
    private let issuer = OutageSubject(issuer: "contoso", endpoint: .token)

    private func at(_ seconds: Int) -> Instant { Instant(nanoseconds: 1_000_000_000) + .seconds(seconds) }

    @Test("a failure that lasts is told when it begins and once a minute, with how long and how often")
    func lasting() {
        var watch = OutageWatch()
        var told: [OutageWatch.Extent] = []
        for second in 0...120 {
            if let extent = watch.failed(issuer, because: "refused", at: at(second)) { told.append(extent) }
        }
        #expect(
            told == [
                .init(duration: .zero, failures: 1), .init(duration: .seconds(60), failures: 61),
                .init(duration: .seconds(120), failures: 121),
            ])
    }

    @Test("another reason is told at once; one that was told before is not")
    func reasons() {
        var watch = OutageWatch()
        let reasons = [
            ("timed_out", true), ("timed_out", false), ("certificate_expired", true), ("timed_out", false),
            ("certificate_expired", false), ("status_404", true),
        ]
        for (second, (reason, isTold)) in reasons.enumerated() {
            #expect((watch.failed(issuer, because: reason, at: at(second)) != nil) == isTold, "\(reason)")
        }
    }

    @Test("reasons that never repeat do not fill the log")
    func manyReasons() {
        var watch = OutageWatch()
        let told = (0..<1000).count { number in
            let reason = String(repeating: "x", count: number)
            return watch.failed(issuer, because: reason, at: at(0)) != nil
        }
        #expect(told == 8)
    }

    @Test("the end is told once, with how long it lasted and how often it failed; then all begins anew")
    func end() {
        var watch = OutageWatch()
        #expect(watch.worked(issuer, at: at(0)) == nil)
        for second in 0..<10 { _ = watch.failed(issuer, because: "refused", at: at(second)) }
        #expect(watch.worked(issuer, at: at(30)) == .init(duration: .seconds(30), failures: 10))
        #expect(watch.worked(issuer, at: at(31)) == nil)
        #expect(watch.failed(issuer, because: "refused", at: at(32)) == .init(duration: .zero, failures: 1))
    }

    @Test("one issuer's trouble, and one endpoint's, is its own")
    func subjects() {
        var watch = OutageWatch()
        let subjects = [
            issuer, OutageSubject(issuer: "contoso", endpoint: .keys),
            OutageSubject(issuer: "fabrikam", endpoint: .token),
        ]
        for subject in subjects { #expect(watch.failed(subject, because: "down", at: at(0)) != nil) }
        for subject in subjects {
            #expect(watch.worked(subject, at: at(1)) == .init(duration: .seconds(1), failures: 1))
        }
    }
}
