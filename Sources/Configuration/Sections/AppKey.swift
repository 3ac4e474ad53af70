/// The keys of an app.
enum AppKey: String, ConfigurationKey {
    case id
    case name
    case issuer
    case clientID = "client_id"
    case redirectURIs = "redirect_uris"
    case handler
    case release
    case defaultScope = "default_scope"
    case tokenEndpointAuthMethod = "token_endpoint_auth_method"
    case clientSecret = "client_secret"
    case clientSecretFile = "client_secret_file"
    case beginFrom = "begin_from"
    case tenants
    case responseMode = "response_mode"
    case signingKeyFile = "signing_key_file"
    case tlsClientCertificate = "tls_client_certificate"
    case tlsClientKey = "tls_client_key"
    case requireStart = "require_start"
    case returnURI = "return_uri"
    case relayFrom = "relay_from"
    case par

    var isBuilt: Bool {
        switch self {
        case .signingKeyFile, .tlsClientCertificate, .tlsClientKey, .par: false
        default: true
        }
    }
}
