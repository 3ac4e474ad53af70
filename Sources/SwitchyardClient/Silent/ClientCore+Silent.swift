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
        // A look costs less than a turn, and suffices if the last token of this request is probably still valid.
        // Otherwise the turn includes the look, so a refresh takes two trips to the storage: one takes the turn, one
        // gives it back with the new tokens.
        if !request.passesOverCache, refreshes.isProbablyGood(key, at: clock.now(), buffer: lookup.buffer) {
            let finding = try lookup.finding(in: try await cache.document(), at: clock.now())
            if case .token(let token, let account) = finding { return result(token, account) }
        }
        return try await refreshes.run(key, on: runtime) { [self] () async throws(AuthenticationError) in
            try await TokenRefresh(core: self, request: request, lookup: lookup).run()
        }
    }
}
