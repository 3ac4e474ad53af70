/// The words of one page: what it is, why, and what the person does next.
///
/// `Text` is `String` on pages that know no app and `AppPhrase` on those that do, so that a translation cannot name an
/// app where there is none.
struct Notice<Text: Sendable>: Sendable {
    /// The only heading of the page, and its title.
    let heading: String
    /// What happened, in one or two sentences.
    let explanation: Text
    /// What to do now, in one or two sentences.
    let next: Text
}
