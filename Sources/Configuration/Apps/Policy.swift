internal import SwitchyardCrypto
internal import SwitchyardJOSE
internal import SwitchyardOAuth
internal import SwitchyardRouting

extension AppDecoder {
    /// The policy of an app: what its handlers let it say.
    struct Policy {
        var release = ReleasePolicy.code
        var defaultScope = Scopes(parsing: "")
        var authentication = ClientAuthentication.none
        var beginFrom: BeginFrom?
        var responseMode = ResponseMode.query
        var requiresStart = false
        var returnURI: RedirectURI?
        var relayFrom: RelayFrom?
        var push = PushPolicy.auto
        var tokenHandling = TokenHandling.standard
        var keys = ClientKeys.none
        var signsRequests = false
    }

    /// - Parameter redirects: nil when they are wrong, which has been reported.
    /// - Returns: nil when something in it is wrong, which is reported.
    func policy(_ handlers: HandlerList, _ redirects: [RedirectURI]?) -> Policy? {
        if handlers.completesRequests { return pendingPolicy(redirects) }
        reader.refuse(TokenHandlingKeys.all, because: "only with the handler pending does the gateway redeem")
        if handlers.sendsToLoopback { return loopbackPolicy(handlers, redirects) }
        return handlers.deliveries.isEmpty ? redirectPolicy() : deliveryPolicy(handlers, redirects)
    }

    private func redirectPolicy() -> Policy {
        reader.refuse(
            [
                .release, .defaultScope, .tokenEndpointAuthMethod, .clientSecret, .clientSecretFile,
                .tlsClientCertificate, .tlsClientKey, .beginFrom, .responseMode, .requireStart, .returnURI, .relayFrom,
                .gateway, .par,
            ], because: "a redirect handler holds no request and redeems nothing")
        reader.refuse([.logoFile, .supportURL], because: "a redirect handler shows no page of the app")
        return Policy()
    }

    /// The policy of an app with pending requests.
    private func pendingPolicy(_ redirects: [RedirectURI]?) -> Policy? {
        // All of them are read, even if one has errors, so all errors are reported at once.
        let release = self.release()
        let scope = reader[.defaultScope].flatMap { defaultScope($0) }
        let signingKeys = self.signingKeys()
        let authentication = self.authentication(signingKeys)
        let beginFrom = reader[.beginFrom].flatMap { self.beginFrom($0) }
        let mode = responseMode(redirects)
        let requiresStart = self.requiresStart(redirects)
        let returnURI = release.flatMap { self.returnURI($0) }
        let relayFrom = self.relayFrom(release, redirects)
        let tokenHandling = self.tokenHandling(scope)
        let push = reader[.par].flatMap { context.choice($0, PushPolicy.self) }
        let signsRequests = self.signsRequests(signingKeys)
        guard let release, let signingKeys, let authentication, let mode, let tokenHandling else { return nil }
        if authentication != .none, reader[.beginFrom] == nil {
            context.error(
                at: reader.mark(of: .id), "an app with client authentication that anyone may use",
                "write begin_from: with uids, networks, client_certificates or api_key_file, to say who may begin with "
                    + (signingKeys.isEmpty ? "its secret" : "its key"))
        }
        return Policy(
            release: release, defaultScope: scope ?? Scopes(parsing: ""), authentication: authentication,
            beginFrom: beginFrom, responseMode: mode, requiresStart: requiresStart, returnURI: returnURI,
            relayFrom: relayFrom, push: push ?? .auto, tokenHandling: tokenHandling,
            keys: ClientKeys(
                signing: signingKeys, encryption: tokenHandling.decryption?.keys.keys ?? [],
                certificate: authentication.selfSignedCertificate),
            signsRequests: signsRequests)
    }

    /// The policy of an app with the `loopback` handler, to which the browser itself takes the response: the response
    /// mode, and the callers that may begin.
    private func loopbackPolicy(_ handlers: HandlerList, _ redirects: [RedirectURI]?) -> Policy? {
        reader.refuse(
            [
                .release, .returnURI, .tokenEndpointAuthMethod, .clientSecret, .clientSecretFile, .tlsClientCertificate,
                .tlsClientKey, .gateway,
            ],
            because: "with loopback the browser takes the callback to its own machine, and the app there redeems it")
        if handlers.deliveries.isEmpty {
            reader.refuse([.relayFrom], because: "a callback that is relayed has no browser that could be sent on")
        }
        let scope = reader[.defaultScope].flatMap { defaultScope($0) }
        let beginFrom = reader[.beginFrom].flatMap { self.beginFrom($0) }
        let mode = responseMode(redirects)
        let requiresStart = self.requiresStart(redirects)
        let relayFrom = handlers.deliveries.isEmpty ? nil : self.relayFrom(nil, redirects)
        if let redirects {
            // Handlers take relayed callbacks too, so relaying needs no warning then.
            let judged = handlers.deliveries.isEmpty ? redirects : redirects.filter(\.isHTTPS)
            checkNeedsHTTPS(judged.isEmpty ? redirects : judged, at: reader.mark(of: .handler), "handler loopback") {
                "no browser brings a callback of \($0) here"
            }
        }
        let push = reader[.par].flatMap { context.choice($0, PushPolicy.self) }
        guard let mode else { return nil }
        return Policy(
            defaultScope: scope ?? Scopes(parsing: ""), beginFrom: beginFrom, responseMode: mode,
            requiresStart: requiresStart, relayFrom: relayFrom, push: push ?? .auto)
    }

    /// The policy of an app that keeps its own state: the response mode, and the callers that may relay.
    private func deliveryPolicy(_ handlers: HandlerList, _ redirects: [RedirectURI]?) -> Policy? {
        reader.refuse(
            [
                .release, .defaultScope, .tokenEndpointAuthMethod, .clientSecret, .clientSecretFile,
                .tlsClientCertificate, .tlsClientKey, .beginFrom, .requireStart, .returnURI, .par,
            ], because: "a callback that is handed over has no request here, and the app redeems it")
        if handlers.target != nil {
            reader.refuse(
                [.gateway], because: "what another gateway carries comes without a browser that could be sent on")
        }
        let relayFrom = self.relayFrom(nil, redirects)
        guard let mode = responseMode(redirects) else { return nil }
        if handlers.target != nil, mode.carrier != .query {
            context.error(
                at: reader.mark(of: .responseMode),
                "response_mode \(mode.rawValue) with redirect at the end of the handlers, which passes on nothing but a query",
                "ask the issuer for response_mode query, or take the redirect out")
            return nil
        }
        return Policy(responseMode: mode, relayFrom: relayFrom)
    }

    private func defaultScope(_ node: YAMLNode) -> Scopes? {
        context.value(node, "write scopes in one text, separated by spaces: \"openid profile\"") {
            Scopes(validating: $0)
        }
    }
}

extension AppDecoder {
    /// The policy that was written, or the default one; nil when it is wrong, which is reported.
    func release() -> ReleasePolicy? {
        guard let node = reader[.release] else { return .code }
        return context.choice(node, ReleasePolicy.self)
    }

    /// The address to which `same_device` sends the browser on. nil with another policy, and if it is wrong, which is
    /// reported.
    func returnURI(_ release: ReleasePolicy) -> RedirectURI? {
        let remedy = "write http://127.0.0.1/path, whose port the request's return_port gives, or a scheme of the app"
        guard release == .sameDevice else {
            reader.refuse([.returnURI], because: "only release same_device sends the browser on")
            return nil
        }
        guard let node = reader[.returnURI] else {
            context.error(at: reader.mark(of: .release), "release same_device without a return_uri", remedy)
            return nil
        }
        guard let text = context.text(node, remedy) else { return nil }
        do {
            let uri = try RedirectURI(text)
            if case .https = uri.form {
                // The server of that host would get the ticket, on any device.
                context.error(at: node.mark, "the return_uri \"\(text)\" does not stay on the device", remedy)
                return nil
            }
            return uri
        } catch {
            context.error(at: node.mark, "the return_uri \"\(text)\" \(error.message)", error.remedy)
            return nil
        }
    }

    /// Whether a callback counts only from the browser that opened the request's `start_url`.
    func requiresStart(_ redirects: [RedirectURI]?) -> Bool {
        let isRequired = reader[.requireStart].flatMap { context.choice($0, [("true", true), ("false", false)]) }
        guard isRequired == true, let redirects else { return isRequired ?? false }
        // The cookie comes with an https callback and with no other.
        checkNeedsHTTPS(redirects, at: reader.mark(of: .requireStart), "require_start") {
            "no callback to \($0) comes from a browser with its cookie"
        }
        return true
    }
}

extension AppDecoder {
    /// How the issuer is asked to answer; nil when it is wrong, which is reported.
    func responseMode(_ redirects: [RedirectURI]?) -> ResponseMode? {
        guard let node = reader[.responseMode] else { return .query }
        guard let mode = context.choice(node, ResponseMode.self) else { return nil }
        guard let redirects else { return mode }
        switch mode.carrier {
        case .query: break
        case .form:
            checkNeedsHTTPS(redirects, at: node.mark, "response_mode \(mode.rawValue)") {
                "no POST reaches the gateway through \($0)"
            }
        case .fragment:
            checkNeedsHTTPS(redirects, at: node.mark, "response_mode \(mode.rawValue)") {
                "a fragment of \($0) is never seen"
            }
        }
        return mode
    }

    /// Reports a setting that works at https redirect URIs only. Without such a URI it is an error; with other URIs
    /// beside, a warning.
    /// - Parameter reason: the reason for the URI that it is given.
    func checkNeedsHTTPS(_ redirects: [RedirectURI], at mark: Mark, _ what: String, _ reason: (RedirectURI) -> String) {
        let others = redirects.filter { !$0.isHTTPS }
        guard let other = others.first else { return }
        if others.count == redirects.count {
            context.error(
                at: mark, "\(what) without an https redirect URI: \(reason(other))",
                "list one in redirect_uris, or leave this out")
        } else {
            context.warning(
                at: mark, "\(what) beside a redirect URI that is not https: \(reason(other))",
                "begin with the https one only, and take the others out")
        }
    }
}

extension AppDecoder {
    private enum Method: String {
        case none
        case basic = "client_secret_basic"
        case post = "client_secret_post"
        case secretJWT = "client_secret_jwt"
        case keyJWT = "private_key_jwt"
        case tls = "tls_client_auth"
        case selfSignedTLS = "self_signed_tls_client_auth"
    }

    /// How the client proves itself to its issuer; nil when that is wrong, which is reported.
    /// - Parameter keys: nil when they are wrong, which has been reported.
    func authentication(_ keys: [SigningKey]?) -> ClientAuthentication? {
        let written = reader.secret(.clientSecret, file: .clientSecretFile)
        guard let method = method(hasSecret: written.isGiven) else { return nil }
        switch method {
        case .none, .keyJWT, .tls, .selfSignedTLS:
            reader.refuse(
                [.clientSecret, .clientSecretFile], because: "token_endpoint_auth_method is \(method.rawValue)")
        case .basic, .post, .secretJWT: break
        }
        if method != .tls, method != .selfSignedTLS {
            reader.refuse(
                [.tlsClientCertificate, .tlsClientKey],
                because: "token_endpoint_auth_method is \(method.rawValue): with a certificate it is tls_client_auth "
                    + "or self_signed_tls_client_auth")
        }
        switch method {
        case .none: return ClientAuthentication.none
        case .keyJWT: return keys.flatMap { signed(by: $0) }
        case .tls: return clientCertificate().map { .tlsClientAuth($0) }
        case .selfSignedTLS: return clientCertificate().map { .selfSignedTLSClientAuth($0) }
        case .basic, .post, .secretJWT:
            guard written.isGiven else {
                context.error(
                    at: reader.mark(of: .tokenEndpointAuthMethod), "a method of client authentication without a secret",
                    "name the file that holds it: client_secret_file")
                return nil
            }
            return written.secret.flatMap { authentication(method, $0) }
        }
    }

    private func authentication(_ method: Method, _ secret: Secret) -> ClientAuthentication? {
        switch method {
        case .post: return .clientSecretPost(secret)
        case .secretJWT:
            let (count, minimum) = (secret.exposedBytes.count, SecretSignature.minimumSecretLength)
            guard count < minimum else { return .clientSecretJWT(secret) }
            context.error(
                at: reader.mark(of: .tokenEndpointAuthMethod),
                "client_secret_jwt with a client secret of \(count) bytes, which can be guessed from an assertion",
                "have the issuer make a secret of \(minimum) bytes or more")
            return nil
        case .basic, .none, .keyJWT, .tls, .selfSignedTLS: return .clientSecretBasic(secret)
        }
    }

    private func signed(by keys: [SigningKey]) -> ClientAuthentication? {
        if let first = keys.first { return .privateKeyJWT(first) }
        context.error(
            at: reader.mark(of: .tokenEndpointAuthMethod), "private_key_jwt without signing_keys",
            "write signing_keys: [{ id, key_file }]; make a key by: switchyard keys new --kind signing --file FILE")
        return nil
    }

    /// The names are those of RFC 7591 section 2 and RFC 8705 section 2. A secret without a method is sent by Basic, which
    /// every issuer that issues secrets must take (RFC 6749 section 2.3.1).
    private func method(hasSecret: Bool) -> Method? {
        guard let node = reader[.tokenEndpointAuthMethod] else { return hasSecret ? .basic : Method.none }
        return context.choice(
            node,
            [
                ("none", .none), ("client_secret_basic", .basic), ("client_secret_post", .post),
                ("client_secret_jwt", .secretJWT), ("private_key_jwt", .keyJWT), ("tls_client_auth", .tls),
                ("self_signed_tls_client_auth", .selfSignedTLS),
            ])
    }
}

extension RedirectURI {
    fileprivate var isHTTPS: Bool { if case .https = form { true } else { false } }
}
