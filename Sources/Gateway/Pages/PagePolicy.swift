internal import SwitchyardPages

/// The permissions of a page beyond being read; the rest is forbidden to it (CSP Level 3).
enum PagePolicy: CaseIterable {
    /// No permission.
    case text
    /// Run ``PageScript``, and ask its own origin.
    case scripted
    /// Run ``PageScript``, ask its own origin, and post a form to it.
    case scriptedForm
    /// Run the one script that reads a fragment, and post the fragment to its own origin.
    case fragment

    var runsPageScript: Bool { self == .scripted || self == .scriptedForm }

    /// The value of `Content-Security-Policy`.
    /// - Parameters:
    ///   - accent: the hash source of the operator's color; nil without one.
    ///   - hasLogo: whether the page shows a picture of our own origin.
    func text(accent: String? = nil, hasLogo: Bool = false) -> String {
        let styles = accent.map { "\(Stylesheet.hashSource) \($0)" } ?? Stylesheet.hashSource
        return "default-src 'none'; \(scripts)\(hasLogo ? "img-src 'self'; " : "")style-src \(styles); "
            + "base-uri 'none'; form-action \(sendsForm ? "'self'" : "'none'"); frame-ancestors 'none'"
    }

    private var sendsForm: Bool { self == .scriptedForm || self == .fragment }

    private var scripts: String {
        switch self {
        case .text: ""
        case .scripted, .scriptedForm: "script-src \(PageScript.hashSource); connect-src 'self'; "
        case .fragment: "script-src \(FragmentScript.hashSource); "
        }
    }
}

/// The policies of all pages of one configuration, made once.
struct PagePolicyTexts: Sendable {
    private let plain: [PagePolicy: String]
    private let withLogo: [PagePolicy: String]

    init(accent: String?) {
        func texts(hasLogo: Bool) -> [PagePolicy: String] {
            Dictionary(
                uniqueKeysWithValues: PagePolicy.allCases.map { ($0, $0.text(accent: accent, hasLogo: hasLogo)) })
        }
        (plain, withLogo) = (texts(hasLogo: false), texts(hasLogo: true))
    }

    func text(of policy: PagePolicy, hasLogo: Bool) -> String {
        (hasLogo ? withLogo : plain)[policy] ?? policy.text(hasLogo: hasLogo)
    }
}
