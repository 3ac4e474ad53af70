internal import SwitchyardText

/// The cache at one moment: accounts, and the tokens that belong to them. A caller that needs both reads the storage
/// once.
package struct CacheSnapshot: Sendable {
    let document: TokenCacheDocument
    /// The accounts that have signed in to the application, and have not signed out of it.
    package let accounts: [Account]

    init(_ document: TokenCacheDocument, _ core: ClientCore) {
        self.document = document
        let settings = core.settings
        accounts = document.accounts.filter { account in
            !account.signedOutOf.contains(settings.clientID) && settings.authority.covers(account.key.environment)
        }.map { Account($0, core) }
    }

    /// The account with this identifier, else with this user name, in any case; nil without one.
    /// - Throws: `invalidParameter` / `ambiguousAccount` when several accounts have this user name.
    package func account(for identifier: String) throws(AuthenticationError) -> Account? {
        guard identifier.contains(where: { !$0.isWhitespace }) else {
            throw AuthenticationError(.invalidParameter, .invalidParameter, "the account's identifier is blank")
        }
        let identified = accounts.first { account in
            account.key == AccountKey(homeAccountID: identifier, environment: account.environment)
        }
        if let identified { return identified }
        let named = accounts.filter { $0.username?.asciiLowercased == identifier.asciiLowercased }
        guard named.count < 2 else {
            throw AuthenticationError(
                .invalidParameter, .ambiguousAccount, "\(named.count) accounts have this user name")
        }
        return named.first
    }
}
