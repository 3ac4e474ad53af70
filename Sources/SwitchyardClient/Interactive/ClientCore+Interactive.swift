internal import SwitchyardDesktop
internal import SwitchyardOAuth
internal import SwitchyardReactor

extension ClientCore {
    func acquireToken(
        _ parameters: InteractiveTokenParameters
    ) async throws(AuthenticationError) -> AuthenticationResult {
        let request = try InteractiveRequest(parameters, settings)
        log.info("a sign-in begins by \(request.way.label) for \(person: request.loginHint)")
        do throws(AuthenticationError) {
            return try await signIn(request)
        } catch {
            log.error("the sign-in ended with \(error.description)")
            var error = error
            error.correlationID = error.correlationID ?? request.correlationID.text
            throw error
        }
    }

    func checkRedirectURI() async throws(AuthenticationError) {
        guard let gateway = settings.gateway else { return }
        // Only what is the same for every sign-in counts here.
        let request = try InteractiveRequest(InteractiveTokenParameters(scopes: ["check"]), settings)
        try await runtime.run { [self] () async throws(AuthenticationError) in
            try await GatewayFlow(core: self, request: request, gateway: gateway).check()
        }
    }

    /// The whole sign-in against its deadline and the app's canceling, wherever it stands: looking up the issuer, waiting for
    /// the browser to open, for the callback, for the tokens.
    private func signIn(_ request: InteractiveRequest) async throws(AuthenticationError) -> AuthenticationResult {
        guard !Task.isCancelled else { throw .canceled }
        return try await runtime.runDetachably(before: request.deadline) {
            [self] () async throws(AuthenticationError) in
            do throws(AuthenticationError) {
                let result = try await obtain(request)
                request.isSignedIn.fulfil(true)
                return result
            } catch {
                // With tokens in hand, the person has done all that there is to do in the browser.
                request.isSignedIn.fulfil(error.result != nil)
                throw error
            }
        }
    }

    private func obtain(_ request: InteractiveRequest) async throws(AuthenticationError) -> AuthenticationResult {
        switch request.way {
        case .gateway:
            guard let gateway = settings.gateway else { throw Self.noWay }
            let flow = GatewayFlow(core: self, request: request, gateway: gateway)
            let grant = try await flow.run { url throws(AuthenticationError) in
                try await present(url, request.presentation)
            }
            return try await accept(grant, of: request)
        case .forwarded:
            guard let redirectURI = settings.redirectURI else { throw Self.noWay }
            return try await accept(try await authorize(request, redirectURI), of: request)
        case .loopback: return try await obtainOnLoopback(request)
        case .automatic: throw Self.noWay
        }
    }

    private func obtainOnLoopback(
        _ request: InteractiveRequest
    ) async throws(AuthenticationError) -> AuthenticationResult {
        guard let registered = settings.redirectURI, case .loopback(let host, let path) = registered.form else {
            throw Self.noWay
        }
        let address = LoopbackAddress(host: host, path: path, router: router, log: log)
        let port = try await runtime.loopbackPorts.join(address, port: registered.loopbackPort)
        do throws(AuthenticationError) {
            guard let redirectURI = try? RedirectURI(registered.text(port: port)) else { throw Self.noWay }
            let result = try await accept(try await authorize(request, redirectURI), of: request)
            await runtime.loopbackPorts.leave(address, on: port, isNamed: registered.loopbackPort != nil)
            return result
        } catch {
            await runtime.loopbackPorts.leave(address, on: port, isNamed: registered.loopbackPort != nil)
            throw error
        }
    }

    private func authorize(
        _ request: InteractiveRequest, _ redirectURI: RedirectURI
    ) async throws(AuthenticationError) -> TokenGrant {
        try await AuthorizationFlow(self, request, redirectURI: redirectURI).run { url throws(AuthenticationError) in
            try await present(url, request.presentation)
        }
    }

    private func present(_ url: String, _ presentation: Presentation) async throws(AuthenticationError) {
        guard !Task.isCancelled else { throw .canceled }
        let isOpen: Bool
        switch presentation {
        case .systemBrowser:
            isOpen = try await runtime.runOnDesktop { Browser.open(url) }
        case .custom(let present): isOpen = await runtime.callApp { await present(url) }
        }
        guard isOpen else {
            throw AuthenticationError(
                .browserNotOpened, nil, "no browser was opened: there is no desktop here, or presentation said so")
        }
    }

    private static let noWay = AuthenticationError(.internal, .unexpected, "the settings lead to no way for callbacks")
}

extension CallbackWay {
    var label: String {
        switch self {
        case .automatic: "whatever works"
        case .gateway: "a gateway"
        case .loopback: "loopback"
        case .forwarded: "callbacks that the app forwards"
        }
    }
}
