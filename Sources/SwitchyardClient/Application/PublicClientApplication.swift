package import SwitchyardOAuth
package import SwitchyardRedemption
internal import Synchronization

/// An app that signs people in: the entry point of this library. Safe from any thread; make one and keep it.
///
/// Every request has its own state, so any number may be under way at once.
public final class PublicClientApplication: Sendable {
    let core: ClientCore

    /// Makes an application. Reads the disk: if the redirect URI has a scheme of its own, it must be registered on this
    /// desktop.
    /// - Throws: `invalidConfiguration`; its message names the mistake and its correction.
    public init(configuration: PublicClientApplicationConfiguration) throws(AuthenticationError) {
        core = try ClientCore(configuration)
        if configuration.checksRedirectScheme {
            try RedirectURIRules.checkRegistered(core.settings.redirectURI, bundleID: core.settings.bundleID)
        }
        LiveApplications.add(core)
    }

    /// The configuration that the application was made from.
    public var configuration: PublicClientApplicationConfiguration { core.settings.configuration }

    /// The redirect URI; nil when the gateway chooses among the registered ones.
    public var redirectURI: String? { core.settings.redirectURI?.text }

    /// Asks whether callbacks to the redirect URI will reach this app: whether the gateway serves it, where there is
    /// one. A sign-in finds out as well; this is for a set-up page or a test. Whether a custom scheme is registered on
    /// this desktop was looked at when the application was made.
    /// - Throws: `invalidConfiguration` / `invalidRedirectURI`, or `gatewayFailed`.
    public func checkRedirectURI() async throws(AuthenticationError) {
        try await core.checkRedirectURI()
    }

    /// The public half of the app's key as a JWK set (RFC 7517), which the issuer is given when the client is registered.
    /// The first call makes the key; later ones, also by other apps of the client ID, return the same.
    /// - Throws: `invalidConfiguration` without ``PublicClientApplicationConfiguration/clientKey``, `cacheFailed`.
    public func clientKeySet() async throws(AuthenticationError) -> String {
        try await core.clientKeySet()
    }

    // MARK: Tokens

    /// Signs a person in, in the browser.
    ///
    /// Canceling the task cancels the sign-in.
    /// - Throws: ``AuthenticationError``; `serverDeclinedScopes` still has the tokens.
    public func acquireToken(
        with parameters: InteractiveTokenParameters
    ) async throws(AuthenticationError) -> AuthenticationResult {
        try await core.acquireToken(parameters)
    }

    /// Gets tokens without asking the person: from the cache, or by a refresh token.
    /// - Throws: `interactionRequired` if the person must sign in. `network` and `serverError` do not mean that.
    public func acquireTokenSilent(
        with parameters: SilentTokenParameters
    ) async throws(AuthenticationError) -> AuthenticationResult {
        try await core.acquireTokenSilent(parameters)
    }

    /// Does the same as ``acquireTokenSilent(with:)``, without another read if `look` has a token that is still good.
    package func acquireTokenSilent(
        with parameters: SilentTokenParameters, having look: CacheSnapshot
    ) async throws(AuthenticationError) -> AuthenticationResult {
        try await core.acquireTokenSilent(parameters, having: look)
    }

    // MARK: Callbacks

    /// Takes a URL that the app was called with. Harmless with any URL, and with one URL twice: only the callback that
    /// a request waits for ends its wait.
    /// - Parameters:
    ///   - url: whole, with its query, as the desktop or the terminal gave it.
    ///   - sourceApplication: the calling program, as far as the desktop says; a label for the log, never a proof.
    /// - Returns: the outcome. `completed` means that a request continues, to tokens or to an error of the issuer.
    public func handleResponse(_ url: String, sourceApplication: String? = nil) async -> ResponseOutcome {
        let outcome = await core.router.accept(url)
        core.log.info("a callback from \(sourceApplication ?? "an unnamed application"): \(outcome.description)")
        return outcome
    }

    /// Calls ``handleResponse(_:sourceApplication:)`` of every application of this process in turn, with MSAL's answer.
    /// - Returns: whether the URL was ours and a request continues with it.
    public static func handleMSALResponse(_ url: String, sourceApplication: String? = nil) async -> Bool {
        for core in LiveApplications.all {
            if await core.router.accept(url).wasHandled { return true }
        }
        return false
    }

    /// The scopes that are asked for in every sign-in.
    package var automaticScopes: Scopes { core.settings.automaticScopes }

    /// Whether the issuer makes ID tokens.
    package var hasIDTokens: Bool { !core.settings.profile.deviations.hasNoIDTokens }

    /// Keeps tokens that a gateway in this process has redeemed and verified, as if they came from a sign-in here.
    /// - Parameter scopes: the requested scopes.
    /// - Returns: the account.
    /// - Throws: `invalidResponse` when the account is unknown (no ID token), `cacheFailed`.
    package func keep(
        _ tokens: RedeemedTokens, requested scopes: Scopes
    ) async throws(AuthenticationError) -> Account {
        let names = scopes.names.filter { !core.settings.automaticScopes.contains($0) }
        var kept = TokenGrant(
            tokens.response, claims: tokens.idTokenClaims, identity: tokens.identity, origin: tokens.origin,
            requested: Scopes(parsing: names.joined(separator: " ")), automatic: core.settings.automaticScopes,
            correlationID: nil)
        kept.bindingKey = tokens.bindingKey
        let grant = kept
        do throws(AuthenticationError) {
            return try await core.runtime.run { [core] () async throws(AuthenticationError) in
                try await core.accept(grant, authority: core.settings.authority)
            }.account
        } catch {
            // The granted scopes' tokens are saved.
            guard error.code == .serverDeclinedScopes, let result = error.result else { throw error }
            return result.account
        }
    }

    /// Saves the tokens of a refresh that another application of the same client could not save.
    /// - Parameter failure: the error of that application.
    /// - Returns: whether there are tokens that would be lost. Without a new refresh token, the old one stays in use.
    package func keepTokens(unkeptBy failure: AuthenticationError) async throws(AuthenticationError) -> Bool {
        guard let tokens = failure.unkept, tokens.refreshToken != nil else { return false }
        try await core.save(tokens)
        return true
    }

    /// Moves all cached data of another application with the same client ID and authority into this one's cache.
    /// - Returns: whether the data were moved; false while the other application refreshes tokens.
    /// - Throws: `cacheFailed`; then the other application keeps all data.
    package func takeOver(from other: PublicClientApplication) async throws(AuthenticationError) -> Bool {
        try await core.takeOver(from: other.core)
    }

    // MARK: Accounts

    /// Lists the accounts that have signed in to this app, or to one that shares its cache, and have not signed out of
    /// this app.
    /// - Throws: `cacheFailed` if the cache cannot be read.
    public func accounts() async throws(AuthenticationError) -> [Account] {
        try await core.look().accounts
    }

    /// The account with this identifier, else with this user name, in any case; nil without one.
    /// - Throws: `invalidParameter` / `ambiguousAccount` when several accounts have this user name, `cacheFailed`.
    public func account(for identifier: String) async throws(AuthenticationError) -> Account? {
        try await core.look().account(for: identifier)
    }

    /// Reads the accounts, and the tokens for ``acquireTokenSilent(with:having:)``.
    /// - Throws: `cacheFailed` if the cache cannot be read.
    package func look() async throws(AuthenticationError) -> CacheSnapshot {
        try await core.look()
    }

    /// Takes the tokens of an account away from this app. Other apps that share the cache keep theirs, and the browser
    /// stays signed in.
    public func signOut(_ account: Account) async throws(AuthenticationError) {
        try await core.signOut(account)
    }

    /// Takes everything of an account out of the shared cache, for all apps of this client ID.
    public func remove(_ account: Account) async throws(AuthenticationError) {
        try await core.remove(account)
    }

    /// Does the same as ``remove(_:)``, and returns the tokens that the issuer can be asked to revoke.
    package func takeOut(_ account: Account) async throws(AuthenticationError) -> RemovedTokens {
        try await core.remove(account)
    }

    /// Asks the issuer to take refresh tokens out of use.
    package func revoke(_ tokens: RemovedTokens) async -> TokenRevocation {
        let outcome = try? await core.runtime.run { [core] () async throws(AuthenticationError) in
            await core.revoke(tokens)
        }
        return outcome ?? .failed(SignInFailure(.internal))
    }
}

/// The applications of this process, for callbacks that do not name one.
enum LiveApplications {
    private struct Entry {
        weak var core: ClientCore?
    }

    private static let entries = Mutex<[Entry]>([])

    static func add(_ core: ClientCore) {
        entries.withLock { entries in
            entries.removeAll { $0.core == nil }
            entries.append(Entry(core: core))
        }
    }

    static var all: [ClientCore] { entries.withLock { $0.compactMap(\.core) } }
}
