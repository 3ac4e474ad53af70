internal import SwitchyardCrypto
internal import SwitchyardHTTPClient
internal import SwitchyardOAuth
internal import SwitchyardRedemption
internal import Synchronization

/// The parts of an application. Safe from any thread.
final class ClientCore: Sendable {
    let settings: ClientSettings
    let runtime: ClientRuntime
    let router: ResponseRouter
    let cache: TokenCache
    /// The key with which the app proves itself; nil for an app without one.
    let clientKey: ClientKeyStore?
    let log: ClientLog
    let refreshes = RefreshQueue()
    let throttle: Throttle
    let clock: ClientClock
    /// The last nonce that each API wanted in a proof of possession, by its origin.
    let proofNonces = Mutex<[String: String]>([:])

    init(
        _ configuration: PublicClientApplicationConfiguration, clock: ClientClock = .system
    ) throws(AuthenticationError) {
        settings = try ClientSettings(configuration)
        self.clock = clock
        guard let runtime = ClientRuntime.shared else {
            throw AuthenticationError(.internal, .unexpected, "the process cannot open more files or threads")
        }
        self.runtime = runtime
        router = ResponseRouter(
            ownForm: settings.redirectURI?.form, names: settings.profile.deviations.parameterNames)
        throttle = Throttle(isEnabled: configuration.isThrottlingEnabled)
        log = ClientLog(configuration.logging)
        cache = TokenCache(settings, runtime)
        let clientID = settings.clientID
        clientKey = configuration.clientKey.map { ClientKeyStore($0, clientID: clientID, runtime) }
    }

    // MARK: Issuers. On the network loop.

    func issuer(for authority: Authority) -> Issuer {
        let configuration = settings.configuration
        return runtime.issuers.issuer(
            with: IssuerSettings(
                name: authority.url,
                source: configuration.metadata.map { .configured($0) } ?? .discovery(authority.discovery),
                rule: authority.issuerRule, profile: settings.profile, trustAnchor: configuration.trustAnchor,
                route: settings.route, allowsLoopbackHTTP: configuration.allowsLoopbackHTTP,
                timeout: configuration.issuerTimeout))
    }

    func metadata(of issuer: Issuer) async throws(AuthenticationError) -> IssuerMetadata {
        do throws(IssuerUnavailableError) {
            return try await runtime.redeemer.metadata(for: issuer)
        } catch {
            throw AuthenticationError(error)
        }
    }

    /// - Parameter scopes: those that the access token is asked for.
    func redeem(
        _ request: RedemptionRequest, granting scopes: Scopes, _ correlationID: CorrelationID
    ) async throws(AuthenticationError) -> TokenGrant {
        var request = request
        request.headers = [correlationID.header]
        do throws(SignInFailure) {
            var tokens = try await runtime.redeemer.redeem(request)
            if !request.grant.isRefresh, tokens.idTokenClaims == nil {
                tokens.identity = try await runtime.redeemer.identity(
                    by: tokens.response.accessToken, at: request.expectations.issuer, proving: request.binding,
                    request.authentication)
            }
            return TokenGrant(
                tokens, requested: scopes, automatic: settings.automaticScopes, correlationID: correlationID.text)
        } catch {
            var error = AuthenticationError(error)
            error.correlationID = error.correlationID ?? correlationID.text
            throw error
        }
    }
}
