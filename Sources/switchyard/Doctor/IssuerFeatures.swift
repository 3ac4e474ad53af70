internal import SwitchyardJOSE
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardRouting

/// Whether an issuer offers what its apps ask for, as its metadata says.
struct IssuerFeatures {
    private let name: String
    private let issuer: String
    private let apps: [AppRegistration]
    private let json: JSONObject

    /// - Parameters:
    ///   - name: in the configuration.
    ///   - issuer: as it calls itself.
    ///   - json: its metadata.
    init(_ name: String, _ issuer: String, _ apps: [AppRegistration], _ json: JSONObject) {
        self.name = name
        self.issuer = issuer
        self.apps = apps
        self.json = json
    }

    private static let withoutPKCE =
        "an issuer that refuses code_challenge needs deviations: { pkce: off }, and client authentication"

    private func list(_ name: String) -> [String]? { json[name]?.array?.compactMap(\.string) }

    func findings(_ metadata: IssuerMetadata) -> [Finding] {
        var found: [Finding] = []
        let methods = list("code_challenge_methods_supported")
        if let methods, !methods.contains("S256") {
            found.append(
                error(
                    "it says that it does not know S256 (code_challenge_methods_supported: \(methods.quotable))",
                    why: "every sign-in is protected by PKCE with S256; an issuer that refuses it refuses them all",
                    do: "switch PKCE with S256 on at the issuer, or ask who runs it to mend its metadata; "
                        + Self.withoutPKCE))
        } else if methods == nil, !Self.isEntra(issuer) {
            found.append(
                warning(
                    "it does not say whether it knows PKCE (code_challenge_methods_supported)",
                    why: "one that ignores it leaves codes open to whoever steals one",
                    do: "look into its documentation for PKCE with S256; \(Self.withoutPKCE)"))
        }
        if let types = list("response_types_supported"), !types.contains("code") {
            found.append(missing("response_type code", types, "the app's client gets no code"))
        }
        if let grants = list("grant_types_supported") {
            if !grants.contains("authorization_code") {
                found.append(missing("the authorization code grant", grants, "no code can be redeemed"))
            }
            let offline = apps.filter { $0.defaultScope.contains("offline_access") }
            if !grants.contains("refresh_token"), let app = offline.first {
                found.append(
                    warning(
                        "it gives no refresh tokens (grant_types_supported), although \(app.id) asks for offline_access",
                        why: "people will have to sign in again whenever a token ends", do: "leave the scope out"))
            }
        }
        return found + appFeatures + algorithms(metadata)
    }

    /// It knows PKCE, and does not say so.
    private static func isEntra(_ issuer: String) -> Bool {
        let host = issuer.dropFirst("https://".count).prefix { $0 != "/" }
        return EntraHosts.all.contains { $0.names.contains(String(host)) }
    }

    private var appFeatures: [Finding] {
        var found: [Finding] = []
        var told: Set<String> = []
        for app in apps {
            let mode = app.responseMode.rawValue
            // The default of OpenID Connect Discovery section 3 for a missing list.
            let modes = list("response_modes_supported") ?? ["query", "fragment"]
            if !modes.contains(mode), !(mode == "form_post" && list("response_modes_supported") == nil),
                told.insert("mode \(mode)").inserted
            {
                found.append(
                    error(
                        "it does not offer response_mode \(mode), which \(app.id) asks for; it offers "
                            + modes.quotable,
                        why: "the issuer refuses the request, or answers where the gateway does not look",
                        do: "give the app a response_mode that is offered, or switch it on at the issuer"))
            }
            // Many issuers leave the method of public clients out of the list.
            let method = app.clientAuthentication.name
            let methods = list("token_endpoint_auth_methods_supported") ?? ["client_secret_basic"]
            if method != "none", !methods.contains(method), told.insert("method \(method)").inserted {
                found.append(
                    error(
                        "it does not take \(method), by which \(app.id) authenticates; it takes "
                            + methods.quotable,
                        why: "redeeming the code fails with invalid_client",
                        do:
                            "give the app a token_endpoint_auth_method that is taken, as its registration there has it"
                    ))
            }
        }
        return found + keyFeatures
    }

    /// Whether the issuer takes what the apps' keys sign.
    private var keyFeatures: [Finding] {
        var found: [Finding] = []
        for app in apps {
            guard let key = app.keys.signing.first else { continue }
            if case .privateKeyJWT = app.clientAuthentication,
                let wrong = unfit(key, "token_endpoint_auth_signing_alg_values_supported")
            {
                found.append(
                    error(
                        "it takes no client assertions with \(wrong.name), by which \(app.id) authenticates; it takes "
                            + wrong.offered.quotable,
                        why: "redeeming the code fails with invalid_client", do: Self.anotherKey))
            }
            if app.signsRequests, let wrong = unfit(key, "request_object_signing_alg_values_supported") {
                found.append(
                    error(
                        "it takes no request objects with \(wrong.name), by which \(app.id) signs; it takes "
                            + wrong.offered.quotable,
                        why: "the issuer refuses every authorization request of the app", do: Self.anotherKey))
            }
            if app.push == .required, json["pushed_authorization_request_endpoint"] == nil {
                found.append(
                    error(
                        "it names no pushed_authorization_request_endpoint, although \(app.id) has par: required",
                        why: "no sign-in can begin", do: "switch PAR on at the issuer, or write par: auto"))
            }
        }
        return found
    }

    private static let anotherKey =
        "make a key that the issuer takes: switchyard keys new --kind signing --algorithm NAME --file FILE"

    /// The algorithm of a key, where the issuer announces others only.
    private func unfit(_ key: SigningKey, _ name: String) -> (name: String, offered: [String])? {
        guard let offered = list(name), !offered.isEmpty else { return nil }
        let algorithm = key.algorithm(announced: offered).rawValue
        return offered.contains(algorithm) ? nil : (algorithm, offered)
    }

    private func algorithms(_ metadata: IssuerMetadata) -> [Finding] {
        let signed = metadata.idTokenSigningAlgorithms
        guard !signed.isEmpty, apps.contains(where: { $0.defaultScope.contains("openid") }),
            !signed.contains(where: { SigningAlgorithm(rawValue: $0) != nil })
        else { return [] }
        return [
            error(
                "it signs ID tokens with \(signed.quotable) only",
                why: "the gateway believes signatures of "
                    + SigningAlgorithm.allCases.map(\.rawValue).joined(separator: ", "),
                do: "choose one of those at the issuer, RS256 or ES256 for the client")
        ]
    }

    private func missing(_ what: String, _ offered: [String], _ why: String) -> Finding {
        error(
            "it does not offer \(what); it offers \(offered.quotable)", why: why,
            do: "switch it on at the issuer, or use another one")
    }

    private func error(_ what: String, why: String, do remedy: String) -> Finding {
        .error(.issuers, name, what, why: why, do: remedy)
    }

    private func warning(_ what: String, why: String, do remedy: String) -> Finding {
        .warning(.issuers, name, what, why: why, do: remedy)
    }
}
