import SwitchyardCrypto
import SwitchyardRouting
import SwitchyardTLS
import Testing

@testable import SwitchyardConfiguration

@Suite("Certificates as browsers judge them") struct CertificateTests {
    private let chain: CertificateChain

    init() throws { chain = try CertificateChain(pem: Array(SampleCertificate.server.utf8)) }

    private static let day: Int64 = 86_400
    private static let dates = SampleCertificate.serverDates

    private func judged(at now: Int64, expired: Diagnostic.Severity = .error) -> [Diagnostic] {
        let log = DiagnosticLog()
        let machine = Machine(now: now, expiredCertificate: expired)
        DecodingContext(
            file: SourceFile(name: "c.yaml", directory: "", role: .main(environment: [:])), log: log, machine: machine
        ).judge(chain, "tls.pem", at: .start, machine)
        return log.sorted
    }

    @Test("one that has expired is an error; for a gateway that runs, a warning")
    func expired() {
        for now in [Self.dates.until, Self.dates.until + Self.day] {
            let found = judged(at: now)
            #expect(found.map(\.severity) == [.error])
            #expect(found.allSatisfy { $0.message.contains("tls.pem expired on Tue, 22 Dec 2026 02:29:32 GMT") })
            #expect(judged(at: now, expired: .warning).map(\.severity) == [.warning])
        }
    }

    @Test(
        "one that ends within 14 days is a warning",
        arguments: [
            (1, "in less than a day"), (86_400, "in one day"), (3 * 86_400 + 5, "in 3 days"),
            (14 * 86_400, "in 14 days"),
        ] as [(Int64, String)])
    func soon(left: Int64, words: String) {
        let found = judged(at: Self.dates.until - left)
        #expect(found.map(\.severity) == [.warning])
        #expect(found.allSatisfy { $0.message.contains(words) }, "\(found)")
    }

    @Test("a certificate that lasts longer gets no warning", arguments: [14 * 86_400 + 1, 29 * 86_400] as [Int64])
    func good(left: Int64) {
        #expect(judged(at: Self.dates.until - left).isEmpty)
    }

    @Test("a certificate that is not valid yet is refused too")
    func future() {
        let found = judged(at: Self.dates.from - 1)
        #expect(found.map(\.severity) == [.error])
        #expect(found.allSatisfy { $0.message.contains("is not valid before Sun, 22 Nov 2026 02:29:32 GMT") })
    }

    @Test("of a chain the shortest counts, and the first one's names")
    func wholeChain() throws {
        let both = try CertificateChain(pem: Array((SampleCertificate.pem + SampleCertificate.server).utf8))
        #expect(both.validUntil == Self.dates.until && both.validFrom == Self.dates.from)
        #expect(!both.isFor(host: "login.contoso.com"))
        let turned = try CertificateChain(pem: Array((SampleCertificate.server + SampleCertificate.pem).utf8))
        #expect(turned.validUntil == Self.dates.until)
        #expect(turned.isFor(host: "login.contoso.com"))
    }

    @Test(
        "the names are the alternative ones, with wildcards and addresses",
        arguments: [
            ("login.contoso.com", true), ("LOGIN.contoso.com", true), ("a.apps.contoso.com", true),
            ("a.b.apps.contoso.com", false), ("apps.contoso.com", false), ("cn.contoso.com", false),
            ("127.0.0.1", true), ("127.0.0.2", false), ("[::1]", true), ("::1", true), ("[::2]", false), ("", false),
        ])
    func names(host: String, fits: Bool) {
        #expect(chain.isFor(host: host) == fits)
        #expect(chain.names == "login.contoso.com, *.apps.contoso.com, 127.0.0.1, ::1")
    }

    @Test(
        "what is no certificate is refused",
        arguments: ["", "x", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func none(text: String) {
        #expect(throws: TLSError.self) { try CertificateChain(pem: Array(text.utf8)) }
    }

    @Test(
        "a host that no certificate of the doors for browsers is for is warned about",
        arguments: [
            ("https://login.contoso.com", "callbacks", "", false), ("https://sso.contoso.com", "callbacks", "", true),
            ("https://cn.contoso.com", "callbacks", "", true), ("https://sso.contoso.com", "api", "", false),
            ("https://sso.contoso.com", "callbacks", "10.0.0.1", false), ("https://127.0.0.1", "callbacks", "", false),
            ("http://localhost", "callbacks", "", false),
        ])
    func publicName(url: String, serve: String, proxy: String, isWarned: Bool) throws {
        let service = try #require(ListenerConfiguration.Service(rawValue: serve))
        let address = try #require(ListenerAddress.parseTCP("0.0.0.0:443"))
        let log = DiagnosticLog()
        let place = Place(file: SourceFile(name: "c.yaml", directory: "", role: .main(environment: [:])), mark: .start)
        let files = CertificateFiles(certificateChain: "c", privateKey: "k")
        let listener = DecodedListener(
            configuration: ListenerConfiguration(address: address, tls: [files], serve: [service]), chains: [chain],
            place: place)
        let proxies = TrustedProxies(networks: try proxy.isEmpty ? [] : [#require(Network(proxy))])
        var names = CertificateNames([listener], proxies, log)
        names.check(try PublicURL(url))
        #expect(log.sorted.map(\.severity) == (isWarned ? [.warning] : []))
        #expect(log.sorted.allSatisfy { $0.message.contains("login.contoso.com, *.apps.contoso.com") })
    }
}
