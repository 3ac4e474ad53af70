/// A sentence on a page that knows the app and the address of the program that asks.
typealias AskerPhrase = Phrase<AskerSlot>

enum AskerSlot {
    /// The app's name.
    case app
    /// The address that the request to sign in came from.
    case address
}
