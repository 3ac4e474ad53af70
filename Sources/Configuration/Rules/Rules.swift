internal import SwitchyardOAuth
internal import SwitchyardRouting

/// The rules that need more than one section: what apps, issuers and the public URL must be to each other.
///
/// The rules stand by their subjects in the other files of this folder.
struct Rules {
    let apps: [DecodedApp]
    let issuers: [IssuerConfiguration]
    /// nil when it is wrong, which has been reported.
    let publicURL: PublicURL?
    var listeners: [DecodedListener] = []
    /// Where `trusted_proxies` stands.
    var proxiesPlace: Place?
    var trustedProxies = TrustedProxies()
    /// Where `same_network` may pass, beside loopback.
    var networks: [Network] = []
    /// Whether it is the configuration of a desktop's agent.
    var isForAgent = false
    let log: DiagnosticLog

    /// Reports every breach, and gives the route table when no two apps claim the same.
    func check() -> RouteTable? {
        checkIssuers()
        checkSharedClients()
        checkSameNetwork()
        checkGateways()
        warnAboutDoors()
        warnAboutProxies()
        warnAboutRelease()
        warnAboutCertificates()
        warnAboutNames()
        warnAboutForeignHosts()
        warnAboutMSALForms()
        guard let routes = checkOwnership() else { return nil }
        checkRedirectLoops(routes)
        checkReturnURIs(routes)
        return routes
    }
}
