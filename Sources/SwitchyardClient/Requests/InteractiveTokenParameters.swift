/// A sign-in in the browser.
public struct InteractiveTokenParameters: Sendable {
    /// The scopes of one API that the access token must have, without `openid`, `profile` and `offline_access`, which
    /// are always requested.
    public var scopes: [String]
    /// Scopes of other APIs to consent to at the same time; their tokens come by silent requests later.
    public var extraScopesToConsent: [String] = []
    /// A hint at the person; taken from ``account`` when that is set.
    public var loginHint: String?
    /// The domain of the person's directory, such as `contoso.com`: skips the question at issuers that know several.
    public var domainHint: String?
    /// The prompt; if nil, the issuer decides.
    public var prompt: Prompt?
    /// The account that must sign in; another one ends with `mismatchedUser`.
    public var account: Account?
    /// Claims for the tokens, such as those of an error.
    public var claims: ClaimsRequest?
    /// How the person must sign in, such as the demand of an error.
    public var stepUp: StepUpRequest?
    /// Further parameters of the authorization request. One that this library sets itself is refused.
    public var extraParameters: [String: String] = [:]
    /// Another authority than the application's.
    public var authority: Authority?
    /// The request's name in the logs of Microsoft's issuers: a UUID. nil: a fresh one.
    public var correlationID: String?
    /// How long the person may take.
    public var timeout = Duration.seconds(600)
    /// Other than the application's.
    public var callbackWay: CallbackWay?
    /// How the person gets to the sign-in page.
    public var presentation = Presentation.systemBrowser
    /// Asked when the gateway wants the code that its page in the browser shows. nil: such a sign-in fails.
    public var releaseCode: (@Sendable (ReleaseCodeQuestion) async -> String?)?

    /// Without `account`, any person may sign in. Set the other properties as needed.
    public init(scopes: [String], account: Account? = nil, claims: ClaimsRequest? = nil) {
        self.scopes = scopes
        self.account = account
        self.claims = claims
    }
}

/// The question that the issuer must ask, even in a signed-in browser (OpenID Connect Core section 3.1.2.1).
public struct Prompt: Hashable, Sendable {
    /// Asks for the credentials, even in a signed-in browser.
    public static var login: Self { Self(rawValue: "login") }
    /// For consent, although it was given before.
    public static var consent: Self { Self(rawValue: "consent") }
    /// For the account.
    public static var selectAccount: Self { Self(rawValue: "select_account") }
    /// Signs up: the issuer creates an account.
    public static var create: Self { Self(rawValue: "create") }
    /// No question: an error in place of a page.
    public static var none: Self { Self(rawValue: "none") }

    /// The value in the authorization request.
    public let rawValue: String
}

/// How the person gets to the address where the sign-in begins.
public struct Presentation: Sendable {
    /// `xdg-open` on this desktop.
    public static var systemBrowser: Self { Self(choice: .systemBrowser) }
    /// Writes the address to standard error, at once: for terminals, containers and programs that read the output.
    public static var standardError: Self { Self(choice: .standardError) }
    /// The app shows or opens the address itself, and says false when it could not.
    ///
    /// A sign-in that is canceled does not wait for it; its task is canceled then.
    public static func custom(_ present: @escaping @Sendable (_ url: String) async -> Bool) -> Self {
        Self(choice: .custom(present))
    }

    enum Choice: Sendable {
        case systemBrowser
        case standardError
        case custom(@Sendable (_ url: String) async -> Bool)
    }

    let choice: Choice
}

/// The gateway asks for the short code that its page in the browser shows. Only the person that began the sign-in sees
/// both.
public struct ReleaseCodeQuestion: Sendable, Hashable {
    /// Names the sign-in, on the page as well.
    public let reference: String
    /// nil at first; then how often a wrong code may still be given.
    public let attemptsLeft: Int?

    /// For tests of an app.
    public init(reference: String, attemptsLeft: Int? = nil) {
        self.reference = reference
        self.attemptsLeft = attemptsLeft
    }
}
