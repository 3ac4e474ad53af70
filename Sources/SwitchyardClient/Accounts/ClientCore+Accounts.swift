internal import SwitchyardText

extension ClientCore {
    func accounts() async throws(AuthenticationError) -> [Account] {
        try await cache.document().accounts.filter { account in
            !account.signedOutOf.contains(settings.clientID) && settings.authority.covers(account.key.environment)
        }.map { Account($0, self) }
    }

    func account(for identifier: String) async throws(AuthenticationError) -> Account? {
        guard identifier.contains(where: { !$0.isWhitespace }) else {
            throw AuthenticationError(.invalidParameter, .invalidParameter, "the account's identifier is blank")
        }
        let all = try await accounts()
        let identified = all.first { account in
            account.key == AccountKey(homeAccountID: identifier, environment: account.environment)
        }
        if let identified { return identified }
        let named = all.filter { $0.username?.asciiLowercased == identifier.asciiLowercased }
        guard named.count < 2 else {
            throw AuthenticationError(
                .invalidParameter, .ambiguousAccount, "\(named.count) accounts have this user name")
        }
        return named.first
    }

    func signOut(_ account: Account) async throws(AuthenticationError) {
        let (key, clientID) = (account.key, settings.clientID)
        try await cache.update { $0.signOut(key, of: clientID) }
        log.info("\(person: account.username) was signed out")
    }

    func remove(_ account: Account) async throws(AuthenticationError) {
        let key = account.key
        try await cache.update { $0.removeEverything(of: key) }
        log.info("\(person: account.username) was removed")
    }
}
