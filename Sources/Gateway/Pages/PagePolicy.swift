internal import SwitchyardPages

/// The permissions of a page beyond being read; the rest is forbidden to it (CSP Level 3).
enum PagePolicy {
    /// No permission.
    case text
    /// Post a form to its own origin.
    case form
    /// Run the one script that reads a fragment, and post what it found to its own origin.
    case fragment

    /// The value of `Content-Security-Policy`.
    var text: String {
        switch self {
        case .text: Self.forText
        case .form: Self.forForm
        case .fragment: Self.forFragment
        }
    }

    private static let forText = compose(formAction: "'none'")
    private static let forForm = compose(formAction: "'self'")
    private static let forFragment = compose(
        scripts: "script-src \(FragmentScript.hashSource); ", formAction: "'self'")

    private static func compose(scripts: String = "", formAction: String) -> String {
        "default-src 'none'; \(scripts)style-src \(Stylesheet.hashSource); base-uri 'none'; "
            + "form-action \(formAction); frame-ancestors 'none'"
    }
}
