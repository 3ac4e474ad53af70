internal import SwitchyardOAuth

extension ClientCore {
    func acquireTokenSilent(
        _ parameters: SilentTokenParameters
    ) async throws(AuthenticationError) -> AuthenticationResult {
        let request = try SilentRequest(parameters, settings)
        do throws(AuthenticationError) {
            return try await answer(request)
        } catch {
            log.info("a silent request for \(person: request.account.username) ended with \(error.description)")
            var error = error
            error.homeAccountID = request.account.identifier
            // The issuer may have named the person.
            error.username = error.username ?? request.account.username
            throw error
        }
    }

    private func answer(_ request: SilentRequest) async throws(AuthenticationError) -> AuthenticationResult {
        let lookup = SilentLookup(request, settings)
        let key = RefreshQueue.Key(request)
        // To look costs less than to take a turn, and is enough where the last token of this request should hold.
        // Otherwise the look is part of the turn, so that a refresh takes two trips to the storage: to take the turn,
        // and to give it back with what was got.
        if !request.passesOverCache, refreshes.isProbablyGood(key, at: clock.now(), buffer: lookup.buffer) {
            let finding = try lookup.finding(in: try await cache.document(), at: clock.now())
            if case .token(let token, let account) = finding { return result(token, account) }
        }
        return try await refreshes.run(key, on: runtime) { [self] () async throws(AuthenticationError) in
            try await TokenRefresh(core: self, request: request, lookup: lookup).run()
        }
    }
}
