internal import SwitchyardPages
internal import SwitchyardPhrases

extension HTML {
    mutating func phrase(_ phrase: AppPhrase, app: String) {
        self.phrase(phrase) { _ in app }
    }

    mutating func paragraph(_ phrase: AppPhrase, app: String) {
        markup("<p>")
        self.phrase(phrase, app: app)
        markup("</p>\n")
    }
}
