internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardRedemption

/// The endpoints of native sign-in, below the authority.
struct NativeEndpoints: Sendable {
    private let core: ClientCore

    init(_ core: ClientCore) {
        self.core = core
    }

    /// - Parameter name: of the endpoint, such as `initiate`.
    func call(_ name: String, _ fields: [FormField]) async throws(AuthenticationError) -> JSONObject {
        let (core, authority) = (core, core.settings.authority)
        let text = "\(authority.url)/oauth2/v2.0/\(name)"
        let endpoint: EndpointURL
        do throws(EndpointURLError) {
            endpoint = try EndpointURL(text, allowingLoopbackHTTP: core.settings.configuration.allowsLoopbackHTTP)
        } catch {
            throw AuthenticationError(.invalidConfiguration, .failedAuthorityValidation, "\(text) \(error)")
        }
        let all = [FormField("client_id", core.settings.clientID)] + fields
        return try await core.runtime.runDetachably { () async throws(AuthenticationError) in
            do throws(SignInFailure) {
                return try await core.runtime.redeemer.post(
                    all, to: endpoint, of: core.issuer(for: authority))
            } catch {
                throw AuthenticationError(native: error)
            }
        }
    }
}
