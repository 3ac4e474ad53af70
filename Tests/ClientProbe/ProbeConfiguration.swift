internal import SwitchyardCrypto
internal import SwitchyardJSON
internal import SwitchyardTokenStorage

@testable internal import SwitchyardClient

/// The first line, as a configuration.
enum ProbeConfiguration {
    static func read(_ settings: JSONObject) throws(AuthenticationError) -> PublicClientApplicationConfiguration {
        var configuration = PublicClientApplicationConfiguration(
            clientID: settings["client_id"]?.string ?? "the-client",
            bundleID: settings["bundle_id"]?.string ?? "com.contoso.mail",
            redirectURI: settings["redirect_uri"]?.string, authority: authority(settings))
        configuration.allowsLoopbackHTTP = true
        configuration.checksRedirectScheme = settings["checks_scheme"]?.bool ?? false
        configuration.trustAnchor = settings["ca"]?.string
        configuration.clientCapabilities = (settings["capabilities"]?.array ?? []).compactMap(\.string)
        configuration.isExtendedLifetimeEnabled = settings["extended"]?.bool ?? false
        configuration.isThrottlingEnabled = settings["throttling"]?.bool ?? true
        if let address = settings["gateway"]?.string {
            var gateway = GatewayConfiguration(address, app: settings["app"]?.string)
            gateway.redemption = settings["redemption"]?.string == "app" ? .byApp : .byGateway
            gateway.refresh = settings["refresh"]?.string == "gateway" ? .byGateway : .byApp
            configuration.gateway = gateway
        }
        if settings["way"]?.string == "forwarded" { configuration.callbackWay = .forwarded }
        configuration.cache = cache(settings)
        configuration.bindsTokens = settings["binds"]?.bool ?? false
        if settings["par"]?.string == "required" { configuration.pushedRequests = .required }
        if settings["par"]?.string == "off" { configuration.pushedRequests = .off }
        if settings["client_key"]?.bool == true {
            configuration.clientKey = ClientKeyConfiguration(place: place(settings))
        }
        configuration.proxy = proxy(settings)
        configuration.logging.level = .verbose
        configuration.logging.callback = { message in
            Output.write(["log": .string(message.text), "personal": .bool(message.containsPersonalData)])
        }
        return configuration
    }

    private static func place(_ settings: JSONObject) -> StoragePlace {
        let key = EncryptedFileKey.given(Secret([UInt8](repeating: 7, count: 32)))
        return switch settings["cache"]?.string {
        case "file": .encryptedFile(key)
        case "keyring": .keyring
        case "automatic": .automatic(fileKey: key)
        default: .memory
        }
    }

    /// `none` when it is missing, `environment`, or an address.
    private static func proxy(_ settings: JSONObject) -> ProxyConfiguration {
        switch settings["proxy"]?.string {
        case nil: .none
        case "environment": .environment
        case let address?:
            .address(
                address, user: settings["proxy_user"]?.string, password: settings["proxy_password"]?.string,
                exceptions: (settings["proxy_exceptions"]?.array ?? []).compactMap(\.string))
        }
    }

    private static func cache(_ settings: JSONObject) -> TokenCacheConfiguration {
        var cache = TokenCacheConfiguration(place: place(settings))
        if let group = settings["group"]?.string { cache.sharing = .group(group) }
        if settings["sharing"]?.string == "app" { cache.sharing = .thisApp }
        return cache
    }

    private static func authority(_ settings: JSONObject) -> Authority {
        let base = settings["authority"]?.string ?? ""
        let tenant = settings["tenant"]?.string ?? "common"
        let authority: Authority? =
            switch settings["kind"]?.string {
            case "entra":
                try? .entra(
                    ["common", "organizations", "consumers"].contains(tenant) ? named(tenant) : .tenant(tenant),
                    at: base, cloud: nil, allowingLoopbackHTTP: true)
            case "b2c":
                try? .b2c(
                    tenant: tenant, policy: settings["policy"]?.string ?? "", at: base, allowingLoopbackHTTP: true)
            case "ciam": try? .ciam(tenant: tenant, at: base, allowingLoopbackHTTP: true)
            case "adfs": try? .adfs(at: base, allowingLoopbackHTTP: true)
            default: try? .oidc(issuer: base, allowingLoopbackHTTP: true)
            }
        guard let authority else { fatalError("the test gave no authority") }
        return authority
    }

    private static func named(_ tenant: String) -> Authority.Audience {
        switch tenant {
        case "organizations": .organizations
        case "consumers": .consumers
        default: .common
        }
    }
}
