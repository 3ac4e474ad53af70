/// Every word of the pages in one language.
///
/// A language is one file, `Language+Name.swift`: the compiler refuses it while a field or a case is missing. Texts are
/// plain: markup in them is shown, not interpreted.
struct Strings: Sendable {
    let collected: Notice<AppPhrase>
    let waitingForApp: Notice<AppPhrase>
    let redeeming: Notice<AppPhrase>
    let failed: @Sendable (FailureReason) -> Notice<AppPhrase>
    let neutral: Notice<String>
    let refused: @Sendable (CallbackRefusal) -> Notice<String>
    /// Stands before the host label and makes clear who says so.
    let hostClaim: String
    /// Stands before the reference.
    let reference: String
    /// For a page that reloads itself.
    let updatesItself: String
    /// For a page that shows a moment and does not reload itself.
    let reloadToUpdate: String
}
