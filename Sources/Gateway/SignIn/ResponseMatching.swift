internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardRouting

extension RequestRegistry {
    /// The request that has the state of a callback, where that came to the request's own redirect URI.
    /// - Throws: ``CallbackError``; `unavailable` where the store cannot say.
    func request(
        of callback: ArrivedCallback, _ setup: Setup
    ) async throws(CallbackError) -> (RequestRecord, MatchedResponse) {
        let response = try callback.response(setup)
        let found: RequestRecord?
        do throws(StoreFailure) {
            found = try await find(.state(response.stateHash))
        } catch {
            throw .unavailable
        }
        guard let record = found else { throw .unknownState }
        // The app of a redirect URI is one app; the URI itself may differ from the registered one in a loopback port.
        guard record.app == callback.route.app.id, let own = record.form(seenAs: callback.route.redirectURI) else {
            throw .wrongRedirectURI
        }
        do throws(AuthorizationResponseError) {
            return (record, try response.matched(redirectURI: own, state: record.stateHash))
        } catch {
            throw CallbackError(error)
        }
    }
}
