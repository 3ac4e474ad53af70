@testable import Gateway

extension SignInSummary {
    static let sample = SignInSummary(app: "Contoso Mail", hostLabel: "build-box-7", reference: "K7QX-M2PA")
}

extension PageContent {
    /// Every page that is for the holder of the cookie.
    static func ofSignIn(_ signIn: SignInSummary) -> [PageContent] {
        [
            .collected(signIn),
            .waitingForApp(signIn, refreshAfterSeconds: 2), .waitingForApp(signIn, refreshAfterSeconds: nil),
            .redeeming(signIn, refreshAfterSeconds: 2), .redeeming(signIn, refreshAfterSeconds: nil),
        ] + FailureReason.allCases.map { .failed(signIn, $0) }
    }

    /// Every page that is for anybody.
    static let forAnybody: [PageContent] =
        [.neutral(reference: nil), .neutral(reference: "K7QX-M2PA")] + CallbackRefusal.allCases.map { .refused($0) }

    static let all = ofSignIn(.sample) + forAnybody
}

extension Page {
    var text: String { String(decoding: html, as: UTF8.self) }

    /// How often `part` stands in the document.
    func count(of part: String) -> Int {
        text.ranges(of: part).count
    }

    /// What stands between the first `start` and the next `end`; nil when there is nothing such.
    func excerpt(from start: String, to end: String) -> String? {
        let text = text
        guard let from = text.firstRange(of: start) else { return nil }
        let rest = text[from.upperBound...]
        return rest.firstRange(of: end).map { String(rest[..<$0.lowerBound]) }
    }
}
