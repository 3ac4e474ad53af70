internal import SwitchyardCrypto
internal import SwitchyardOAuth

/// Sign-in on the app's own pages, for authorities that allow it (Entra External ID): no browser, unless the issuer
/// wants one. Safe from any thread.
public struct NativeAuth: Sendable {
    let core: ClientCore

    /// Signs in with a password.
    /// - Parameters:
    ///   - username: usually an e-mail address.
    ///   - password: sent to the issuer once, and not stored.
    ///   - scopes: of one API, for the first access token;
    ///     ``NativeAccount/getAccessToken(scopes:forceRefresh:claims:)`` gets those of others.
    /// - Returns: the account, or the next step: a code, another factor, a browser.
    /// - Throws: `userNotFound`, `invalidCredentials` (for a blank value, before a request is sent),
    ///   `passwordResetRequired`, and the errors of any sign-in.
    public func signIn(
        username: String, password: String, scopes: [String] = []
    ) async throws(AuthenticationError) -> NativeSignIn {
        guard username.contains(where: { !$0.isWhitespace }) else {
            throw AuthenticationError(.invalidCredentials, .invalidParameter, "the user name is blank")
        }
        guard !password.isEmpty else {
            throw AuthenticationError(.invalidCredentials, .invalidParameter, "the password is empty")
        }
        return try await flow(scopes).begin(username: username, password: Secret(password))
    }

    /// Signs in with a code that the issuer sends, such as by e-mail.
    /// - Parameters:
    ///   - username: mostly an e-mail address.
    ///   - scopes: of one API, for the first access token.
    /// - Returns: mostly ``NativeSignIn/codeRequired``.
    /// - Throws: `userNotFound`, `invalidCredentials` for a blank name and where the issuer wants a password, and what
    ///   any sign-in can fail with.
    public func signIn(username: String, scopes: [String] = []) async throws(AuthenticationError) -> NativeSignIn {
        guard username.contains(where: { !$0.isWhitespace }) else {
            throw AuthenticationError(.invalidCredentials, .invalidParameter, "the user name is blank")
        }
        return try await flow(scopes).begin(username: username, password: nil)
    }

    private func flow(_ names: [String]) throws(AuthenticationError) -> NativeFlow {
        let settings = core.settings
        let scopes = try ScopeRules.checked(names, settings, settings.authority, mayBeEmpty: true)
        return NativeFlow(core: core, scopes: scopes)
    }
}

extension PublicClientApplication {
    /// Sign-in on the app's own pages.
    public var nativeAuth: NativeAuth { NativeAuth(core: core) }
}
