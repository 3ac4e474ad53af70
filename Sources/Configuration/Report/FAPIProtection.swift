internal import SwitchyardJOSE
internal import SwitchyardOAuth
internal import SwitchyardRouting

/// The parts of the FAPI 2.0 security profile that an app's configuration lacks. docs/reference/fapi.md lists all of
/// its requirements for clients; the others always hold.
struct FAPIProtection {
    private let app: AppRegistration
    private let issuer: IssuerConfiguration?
    private let configuration: Configuration

    init(_ app: AppRegistration, _ configuration: Configuration) {
        self.app = app
        self.configuration = configuration
        issuer = configuration.issuer(of: app)
    }

    var line: String {
        let missing = self.missing
        return missing.isEmpty
            ? "FAPI 2.0: the configuration misses nothing; the rest is the issuer's"
            : "FAPI 2.0 would also want \(missing.joined(separator: ", "))"
    }

    private var missing: [String] {
        var missing: [String] = []
        let method = app.clientAuthentication.name
        let hasCertificate = method.hasSuffix("tls_client_auth")
        if method != "private_key_jwt", !hasCertificate { missing.append("private_key_jwt or a client certificate") }
        if app.push != .required { missing.append("par: required") }
        if app.tokenHandling.binding != .required, !hasCertificate { missing.append("dpop: required") }
        if let key = app.keys.signing.first, key.algorithm(announced: []) == .es384 {
            missing.append("a signing key of P-256, RSA or Ed25519")
        }
        if !configuration.publicURL.isHTTPS { missing.append("an https public_url") }
        guard let issuer else { return missing }
        if issuer.profile.deviations.omitsPKCE { missing.append("pkce: on") }
        if issuer.profile.deviations.addressesTokenEndpoint { missing.append("assertion_audience: issuer") }
        if case .configured = issuer.source { missing.append("an issuer with discovery") }
        return missing
    }
}
