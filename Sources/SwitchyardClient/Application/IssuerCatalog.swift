internal import SwitchyardHTTPClient
internal import SwitchyardOAuth
internal import SwitchyardRedemption
internal import Synchronization

/// The issuers that an application has met, with their metadata and keys.
final class IssuerCatalog: Sendable {
    private let configuration: PublicClientApplicationConfiguration
    private let profile: IssuerProfile
    private let route: OutgoingRoute
    private let issuers = Mutex<[Authority: Issuer]>([:])

    init(_ settings: ClientSettings) {
        configuration = settings.configuration
        profile = settings.profile
        route = settings.route
    }

    func issuer(for authority: Authority) -> Issuer {
        issuers.withLock { issuers in
            if let known = issuers[authority] { return known }
            let issuer = Issuer(
                IssuerSettings(
                    name: authority.url,
                    source: configuration.metadata.map { .configured($0) } ?? .discovery(authority.discovery),
                    rule: authority.issuerRule, profile: profile,
                    trustAnchor: configuration.trustAnchor, route: route,
                    allowsLoopbackHTTP: configuration.allowsLoopbackHTTP,
                    timeout: configuration.issuerTimeout))
            issuers[authority] = issuer
            return issuer
        }
    }
}
