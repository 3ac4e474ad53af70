internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardRouting

extension Route {
    /// The content of a callback that came here, in the form of its app's response mode.
    /// - Parameter names: the provider's own names of parameters.
    func response(
        query: [UInt8], content: [UInt8]?, names: ParameterNames
    ) throws(CallbackProblem) -> UncheckedResponse {
        do throws(AuthorizationResponseError) {
            return try UncheckedResponse(
                query: query, content: content, isSigned: app.responseMode.isSigned, names: names, at: redirectURI.form)
        } catch {
            throw CallbackProblem(error)
        }
    }
}

extension RequestRegistry {
    /// The request that has the state of a response, where that came to the request's own redirect URI.
    /// - Throws: `unknownState`, `wrongRedirectURI`, and `unavailable` where the store cannot say.
    func request(
        of response: UncheckedResponse, at route: Route
    ) async throws(CallbackProblem) -> (RequestRecord, MatchedResponse) {
        let found: RequestRecord?
        do throws(StoreFailure) {
            found = try await find(.state(response.stateHash))
        } catch {
            throw .unavailable
        }
        guard let record = found else { throw .unknownState }
        // The app of a redirect URI is one app; the URI itself may differ from the registered one in a loopback port.
        guard record.app == route.app.id.text, let own = record.form(seenAs: route.redirectURI) else {
            throw .wrongRedirectURI
        }
        do throws(ResponseMismatch) {
            return (record, try response.matched(redirectURI: own, state: record.stateHash))
        } catch {
            throw error == .wrongState ? .unknownState : .wrongRedirectURI
        }
    }
}
