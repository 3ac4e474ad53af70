internal import SwitchyardOAuth

extension ClientCore {
    func acquireTokenSilent(
        _ parameters: SilentTokenParameters, having look: CacheSnapshot? = nil
    ) async throws(AuthenticationError) -> AuthenticationResult {
        let request = try SilentRequest(parameters, settings)
        do throws(AuthenticationError) {
            return try await respond(to: request, having: look)
        } catch {
            log.info("a silent request for \(person: request.account.username) ended with \(error.description)")
            var error = error
            error.homeAccountID = request.account.identifier
            // The issuer may have named the person.
            error.username = error.username ?? request.account.username
            throw error
        }
    }

    private func respond(
        to request: SilentRequest, having look: CacheSnapshot?
    ) async throws(AuthenticationError) -> AuthenticationResult {
        let lookup = SilentLookup(request, settings)
        let key = RefreshQueue.Key(request)
        // A look costs less than a lease, and suffices if the last token of this request is probably still valid.
        // Otherwise the lease includes the look, so a refresh takes two trips to the storage: one takes the lease, one
        // gives it back with the new tokens.
        let mayDo = !request.passesOverCache
        if mayDo, look != nil || refreshes.isProbablyGood(key, at: clock.now(), buffer: lookup.buffer) {
            let document = if let look { look.document } else { try await cache.document() }
            let finding = try lookup.finding(in: document, at: clock.now())
            if case .token(let token, let account) = finding { return result(token, account) }
        }
        return try await refreshes.run(key, on: runtime) { [self] () async throws(AuthenticationError) in
            try await TokenRefresh(core: self, request: request, lookup: lookup).run()
        }
    }
}
