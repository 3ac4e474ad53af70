internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting

extension RequestRegistry {
    /// Anyone can send an encrypted text, and opening it costs a thousand times the sending. So it is opened only while
    /// the app waits for a callback, and a few times a second for each address.
    private func permitDecryption(of callback: ArrivedCallback, _ setup: Setup) async throws(CallbackError) {
        guard setup.decryptionLimiter.take(callback.caller.key, at: .now()) == nil else { throw .unavailable }
        let isPending: Bool
        do throws(StoreError) {
            isPending = try await mayBePending(callback.route.app.id)
        } catch {
            throw .unavailable
        }
        guard isPending else { throw .unknownState }
    }

    /// The request that has the state of a callback, where that came to the request's own redirect URI.
    /// - Throws: ``CallbackError``; `unavailable` where the store cannot say.
    func request(
        of callback: ArrivedCallback, _ setup: Setup
    ) async throws(CallbackError) -> (RequestRecord, MatchedResponse) {
        if callback.isEncrypted { try await permitDecryption(of: callback, setup) }
        let response = try callback.response(setup)
        let found: RequestRecord?
        do throws(StoreError) {
            found = try await find(.state(response.stateHash))
        } catch {
            throw .unavailable
        }
        guard let record = found else { throw .unknownState }
        // The app of a redirect URI is one app; the URI itself may differ from the registered one in a loopback port.
        guard record.app == callback.route.app.id, let own = record.form(seenAs: callback.route.redirectURI) else {
            throw .wrongRedirectURI
        }
        // Each registration of an agent has a port of its own, which tells issuers apart.
        if let port = callback.route.calledPort, let asked = record.redirect?.loopbackPort, asked != port {
            throw .wrongRedirectURI
        }
        do throws(AuthorizationResponseError) {
            return (record, try response.matched(redirectURI: own, state: record.stateHash))
        } catch {
            throw CallbackError(error)
        }
    }
}
