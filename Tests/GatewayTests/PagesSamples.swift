import SwitchyardPages
import SwitchyardPhrases
import TestSupport

@testable import SwitchyardGateway

extension SignInSummary {
    static let sample = SignInSummary(app: "Contoso Mail", hostLabel: "build-box-7", reference: "K7QXM2PA00")
}

extension Asker {
    static let sample = Asker(origin: .address("192.0.2.7"), time: "2026-11-21 06:05 UTC")
}

extension PageContent {
    /// Every page that is for the holder of the cookie.
    static func ofSignIn(_ signIn: SignInSummary) -> [PageContent] {
        [
            .collected(signIn),
            .waitingForApp(signIn, isLive: true), .waitingForApp(signIn, isLive: false),
            .redeeming(signIn, isLive: true), .redeeming(signIn, isLive: false),
            .releaseCode(signIn, .sample, code: "WDJB-MHTR", action: "/done/K7QXM2PA00"),
            .returning(signIn, appURL: "msauth.com.contoso.app1://auth?ticket=T"),
            .delivered(signIn), .delivering(signIn), .undelivered(signIn), .passedOn(signIn),
        ] + FailureReason.allCases.map { .failed(signIn, $0) }
            + [.failed(signIn, .accessDenied, said: "AADSTS50105: not assigned")]
    }

    /// The page before the issuer, for a program with an address and for one on the gateway's machine.
    static func confirmations(_ signIn: SignInSummary) -> [PageContent] {
        [
            Asker.sample, Asker(origin: .thisMachine, time: Asker.sample.time),
            Asker(origin: .unknown, time: "2026-11-21 06:05 UTC"),
        ].map {
            .confirmStart(signIn, $0, continueURL: "/start/7?go=1", action: "/start/7")
        }
    }

    /// Every page that is for anybody.
    static let forAnybody: [PageContent] =
        [
            .neutral(reference: nil), .neutral(reference: "K7QXM2PA00"), .startedElsewhere("K7QXM2PA00"),
            .fragment,
        ]
        + CallbackRefusal.allCases.map { .refused($0) }
        + [.comingAgain(.unavailable, nil), .comingAgain(.tooManyRequests, "K7QXM2PA00")]

    /// Whether the page has the script for news and times.
    var runsPageScript: Bool {
        if case .confirmStart = self { return true }
        return stage != .still && !isStill
    }

    /// Whether the page shows a passing moment, and stays as it is.
    private var isStill: Bool {
        switch self {
        case .waitingForApp(_, let isLive), .redeeming(_, let isLive): !isLive
        default: false
        }
    }

    static let all = ofSignIn(.sample) + confirmations(.sample) + forAnybody

    /// Every page with a form in it.
    static let withForm =
        [PageContent.releaseCode(.sample, .sample, code: "WDJB-MHTR", action: "/done/K7QXM2PA00")]
        + confirmations(.sample)
}

extension SignInPhrases {
    /// Each page of a sign-in.
    var all: [Notice<AppPhrase>] {
        [
            collected, waitingForApp, redeeming, releaseCode, returning, delivered, delivering, undelivered, passedOn,
        ]
    }
}

extension Page {
    private static let book = PageBook()

    static func render(_ content: PageContent, language: Language) -> Page { book.page(content, in: language) }

    var text: String { String(decoding: html, as: UTF8.self) }

    /// The document without its stylesheet and its script.
    var markup: String {
        let rest = excerpt(from: "</style>", to: "<script>") ?? excerpt(from: "</style>", to: "</html>") ?? ""
        return (excerpt(from: "<!DOCTYPE", to: "<style>") ?? "") + rest
    }

    /// How often `part` stands in the document.
    func count(of part: String) -> Int {
        text.ranges(of: part).count
    }

    /// The text between the first `start` and the next `end`; nil if they are missing.
    func excerpt(from start: String, to end: String) -> String? {
        let text = text
        guard let from = text.firstRange(of: start) else { return nil }
        let rest = text[from.upperBound...]
        return rest.firstRange(of: end).map { String(rest[..<$0.lowerBound]) }
    }
}
