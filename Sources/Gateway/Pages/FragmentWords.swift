/// The words of the page for `response_mode=fragment`; of its parts the person sees one.
///
/// The fourth text, for a browser that brings no fragment, is the one of `CallbackRefusal.missingCode`.
struct FragmentWords: Sendable {
    /// While the fragment is on its way to the gateway.
    let sending: Notice<String>
    /// For a browser that runs no scripts.
    let needsScript: Notice<String>
}
