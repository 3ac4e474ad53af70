internal import SwitchyardPages

/// The permissions of a page beyond being read; the rest is forbidden to it (CSP Level 3).
enum PagePolicy {
    /// No permission.
    case text
    /// Run ``PageScript``, and ask its own origin.
    case scripted
    /// Run ``PageScript``, ask its own origin, and post a form to it.
    case scriptedForm
    /// Run the one script that reads a fragment, and post what it found to its own origin.
    case fragment

    var runsPageScript: Bool { self == .scripted || self == .scriptedForm }

    /// The value of `Content-Security-Policy`.
    var text: String {
        switch self {
        case .text: Self.forText
        case .scripted: Self.forScripted
        case .scriptedForm: Self.forScriptedForm
        case .fragment: Self.forFragment
        }
    }

    private static let pageScript = "script-src \(PageScript.hashSource); connect-src 'self'; "
    private static let forText = compose(formAction: "'none'")
    private static let forScripted = compose(scripts: pageScript, formAction: "'none'")
    private static let forScriptedForm = compose(scripts: pageScript, formAction: "'self'")
    private static let forFragment = compose(
        scripts: "script-src \(FragmentScript.hashSource); ", formAction: "'self'")

    private static func compose(scripts: String = "", formAction: String) -> String {
        "default-src 'none'; \(scripts)style-src \(Stylesheet.hashSource); base-uri 'none'; "
            + "form-action \(formAction); frame-ancestors 'none'"
    }
}
