internal import SwitchyardPages

/// A sentence on a page that knows the app.
typealias AppPhrase = Phrase<AppSlot>

enum AppSlot {
    /// The app's name.
    case app
}

/// A sentence on a page that knows the app and the address of the program that asks.
typealias AskerPhrase = Phrase<AskerSlot>

enum AskerSlot {
    /// The app's name.
    case app
    /// The address that the request to sign in came from.
    case address
}

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
