internal import SwitchyardCrypto

/// The current step of a native sign-in: exactly one of these is set.
///
/// Later versions may add steps. An app that does not know the step signs in with
/// ``PublicClientApplication/acquireToken(with:)``.
public struct NativeSignIn: Sendable {
    enum Step: Sendable {
        case completed(NativeAccount)
        case codeRequired(NativeCodeRequired)
        case mfaRequired(NativeMFARequired)
        case browserRequired(NativeBrowserRequired)
    }

    let step: Step

    init(_ step: Step) {
        self.step = step
    }

    /// Makes a completed sign-in, for tests of an app.
    public init(completed account: NativeAccount) {
        self.init(.completed(account))
    }

    /// Somebody has signed in.
    public var completed: NativeAccount? { if case .completed(let account) = step { account } else { nil } }
    /// The issuer has sent a code.
    public var codeRequired: NativeCodeRequired? { if case .codeRequired(let step) = step { step } else { nil } }
    /// One factor is not enough.
    public var mfaRequired: NativeMFARequired? { if case .mfaRequired(let step) = step { step } else { nil } }
    /// The issuer wants to see the person itself.
    public var browserRequired: NativeBrowserRequired? {
        if case .browserRequired(let step) = step { step } else { nil }
    }
}

/// A person's account after a native sign-in.
public struct NativeAccount: Sendable {
    /// The account, as after any sign-in: it is in the cache, and has tokens for other APIs.
    public let account: Account
    /// The tokens of the sign-in itself.
    public let result: AuthenticationResult

    /// For tests of an app.
    public init(account: Account, result: AuthenticationResult) {
        self.account = account
        self.result = result
    }

    /// An access token for one API, from the cache or by the refresh token.
    /// - Parameters:
    ///   - scopes: of one API; call once for each API.
    ///   - forceRefresh: whether a valid token in the cache is passed over.
    ///   - claims: from a challenge; with them the cache is passed over as well.
    /// - Throws: as ``PublicClientApplication/acquireTokenSilent(with:)``.
    public func getAccessToken(
        scopes: [String], forceRefresh: Bool = false, claims: ClaimsRequest? = nil
    ) async throws(AuthenticationError) -> AuthenticationResult {
        guard let core = account.core else {
            throw AuthenticationError(.invalidParameter, .accountRequired, "the account belongs to no application")
        }
        return try await core.acquireTokenSilent(
            SilentTokenParameters(scopes: scopes, account: account, forceRefresh: forceRefresh, claims: claims))
    }
}

/// The issuer has sent a code.
public struct NativeCodeRequired: Sendable {
    /// The masked address that got the code, if the issuer names it: `c***@contoso.example`.
    public let sentTo: String?
    /// By which way: `email`, `sms`.
    public let channel: String?
    /// How many characters it has; nil when the issuer does not say.
    public let codeLength: Int?

    let flow: NativeFlow
    let continuationToken: Secret
    let isSecondFactor: Bool

    /// Shows the code to the issuer.
    /// - Returns: where the sign-in has come to.
    /// - Throws: `invalidCode` for a wrong one: submit another one here.
    public func submit(code: String) async throws(AuthenticationError) -> NativeSignIn {
        try await flow.submit(Secret(code), continuationToken, isSecondFactor: isSecondFactor)
    }

    /// Requests another code.
    public func resend() async throws(AuthenticationError) -> NativeSignIn {
        try await flow.challenge(continuationToken, methodID: nil, isSecondFactor: isSecondFactor, password: nil)
    }
}

/// One factor is not enough.
public struct NativeMFARequired: Sendable {
    /// A way to send the second factor.
    public struct Method: Sendable, Hashable {
        /// The issuer's name for it.
        public let id: String
        /// By which way: `email`, `sms`.
        public let channel: String?
        /// The masked address of the method, if the issuer names it.
        public let hint: String?

        /// For tests of an app.
        public init(id: String, channel: String? = nil, hint: String? = nil) {
            self.id = id
            self.channel = channel
            self.hint = hint
        }
    }

    /// The methods that the person can choose from; the issuer's first choice comes first.
    public let methods: [Method]

    let flow: NativeFlow
    let continuationToken: Secret

    /// Requests a code by one of the methods; nil for the first.
    public func requestChallenge(_ method: Method? = nil) async throws(AuthenticationError) -> NativeSignIn {
        guard let method = method ?? methods.first else {
            throw AuthenticationError(.invalidResponse, .invalidResponse, "the issuer offers no second factor")
        }
        return try await flow.challenge(
            continuationToken, methodID: method.id, isSecondFactor: true, password: nil)
    }
}

/// The issuer wants to see the person itself.
public struct NativeBrowserRequired: Sendable {
    /// The issuer's words, if any.
    public let reason: String?

    let flow: NativeFlow
    let username: String?

    /// Goes on in the browser: the same app, the same person, the same cache.
    /// - Parameter parameters: a missing user name is filled in as a hint.
    public func signIn(
        with parameters: InteractiveTokenParameters
    ) async throws(AuthenticationError) -> AuthenticationResult {
        var parameters = parameters
        parameters.loginHint = parameters.loginHint ?? username
        return try await flow.core.acquireToken(parameters)
    }
}
