internal import Desktop
internal import OAuth

extension ClientCore {
    func acquireToken(
        _ parameters: InteractiveTokenParameters
    ) async throws(AuthenticationError) -> AuthenticationResult {
        let request = try InteractiveRequest(parameters, settings)
        log.info("a sign-in begins by \(request.way.label) for \(person: request.loginHint)")
        do throws(AuthenticationError) {
            let grant = try await runtime.run { [self] () async throws(AuthenticationError) in
                try await obtain(request)
            }
            return try await accept(grant, of: request)
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

    private func obtain(_ request: InteractiveRequest) async throws(AuthenticationError) -> TokenGrant {
        switch request.way {
        case .gateway:
            guard let gateway = settings.gateway else { throw Self.noWay }
            return try await GatewayFlow(core: self, request: request, gateway: gateway).run {
                url throws(AuthenticationError) in
                try await present(url, request.presentation)
            }
        case .forwarded:
            guard let redirectURI = settings.redirectURI else { throw Self.noWay }
            return try await authorize(request, redirectURI)
        case .loopback: return try await obtainOnLoopback(request)
        case .automatic: throw Self.noWay
        }
    }

    private func obtainOnLoopback(_ request: InteractiveRequest) async throws(AuthenticationError) -> TokenGrant {
        guard let registered = settings.redirectURI, case .loopback(let host, let path) = registered.form else {
            throw Self.noWay
        }
        let isSuccess = Promise<Bool>()
        let service = LoopbackService(router, host: host, path: path, isSuccess: isSuccess)
        let listener = try LoopbackListener(runtime.group, service)
        defer { listener.stop(on: runtime.loop) }
        do throws(AuthenticationError) {
            guard let redirectURI = try? RedirectURI(registered.text(port: listener.port)) else { throw Self.noWay }
            let grant = try await authorize(request, redirectURI)
            isSuccess.fulfil(true)
            return grant
        } catch {
            isSuccess.fulfil(false)
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
        let isOpen: Bool
        switch presentation {
        // It waits for another program, so not on this loop.
        case .systemBrowser:
            isOpen = try await runtime.runBlocking { () throws(AuthenticationError) in Browser.open(url) }
        case .custom(let present): isOpen = await present(url)
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
