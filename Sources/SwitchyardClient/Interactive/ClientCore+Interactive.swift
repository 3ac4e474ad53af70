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
            if error.code == .timedOut, request.way == .loopback, settings.redirectURI?.loopbackPort == nil {
                error.message += Self.portAdvice
            }
            throw error
        }
    }

    /// The browser shows the issuer's refusal, and the issuer sends no callback.
    private static let portAdvice =
        "; an issuer that compares ports refuses a loopback redirect URI without one: register one with a port, such as "
        + "http://localhost:8400/callback, and give it as redirectURI"

    func checkRedirectURI() async throws(AuthenticationError) {
        guard let gateway = settings.gateway else { return }
        // Only the part that is the same for every sign-in matters here.
        let request = try InteractiveRequest(InteractiveTokenParameters(scopes: ["check"]), settings)
        try await runtime.run { [self] () async throws(AuthenticationError) in
            try await GatewayFlow(core: self, request: request, gateway: gateway).check()
        }
    }

    /// The whole sign-in against its deadline and the app's canceling, wherever it stands: looking up the issuer,
    /// waiting for the browser to open, for the callback, for the tokens.
    private func signIn(_ request: InteractiveRequest) async throws(AuthenticationError) -> AuthenticationResult {
        guard !Task.isCancelled else { throw .canceled }
        let outcome = await withTaskCancellationHandler {
            await self.outcome(of: request)
        } onCancel: {
            router.end(request.state)
        }
        // This comes before the app is told of the end: a callback is too late from now on.
        router.end(request.state)
        return try outcome.get()
    }

    private func outcome(
        of request: InteractiveRequest
    ) async -> Result<AuthenticationResult, AuthenticationError> {
        do throws(AuthenticationError) {
            return .success(
                try await runtime.runDetachably(before: request.deadline) {
                    [self] () async throws(AuthenticationError) in
                    do throws(AuthenticationError) {
                        let result = try await obtain(request)
                        request.isSignedIn.fulfil(true)
                        return result
                    } catch {
                        // Once there are tokens, the person's part in the browser is done.
                        request.isSignedIn.fulfil(error.result != nil)
                        throw error
                    }
                })
        } catch {
            return .failure(error)
        }
    }

    private func obtain(_ request: InteractiveRequest) async throws(AuthenticationError) -> AuthenticationResult {
        switch request.way.name {
        case .gateway:
            guard let gateway = settings.gateway else { throw Self.noWay }
            let flow = GatewayFlow(core: self, request: request, gateway: gateway)
            let grant = try await flow.run { url throws(AuthenticationError) in
                try await present(url, request)
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
        let flow = AuthorizationFlow(core: self, request: request, redirectURI: redirectURI)
        return try await flow.run { url throws(AuthenticationError) in try await present(url, request) }
    }

    private func present(_ url: String, _ request: InteractiveRequest) async throws(AuthenticationError) {
        let isOpen =
            switch request.presentation.choice {
            case .systemBrowser: try await runtime.askDesktop(before: request.deadline) { Browser.open(url) }
            case .standardError: Browser.tell(url)
            case .custom(let present):
                try await runtime.askApp(before: request.deadline) { await present(url) }
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
        switch name {
        case .automatic: "whatever works"
        case .gateway: "a gateway"
        case .loopback: "loopback"
        case .forwarded: "callbacks that the app forwards"
        }
    }
}
