/// A sentence on a page that knows the app.
typealias AppPhrase = Phrase<AppSlot>

enum AppSlot {
    /// The app's name.
    case app
}
