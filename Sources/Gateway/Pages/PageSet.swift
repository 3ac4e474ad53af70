internal import SwitchyardPhrases

/// The pages of one language that carry no variable data, made once: a flood of bad requests costs a look-up each.
struct PageSet: Sendable {
    let layout: PageLayout
    let neutral: Page
    let fragment: Page
    /// One page for each refusal, at its raw value.
    let refused: [Page]
    let refusedWithReference: [ReferencePage]

    init(_ layout: PageLayout) {
        self.layout = layout
        neutral = layout.neutral(reference: nil)
        fragment = layout.fragment()
        refused = CallbackRefusal.allCases.map { layout.refused($0) }
        refusedWithReference = CallbackRefusal.allCases.map { refusal in
            ReferencePage { layout.refused(refusal, reference: $0) }
        }
    }
}
