internal import SwitchyardGatewayClient
internal import SwitchyardJSON
internal import SwitchyardReactor

/// Waits for the outcome of a sign-in at a gateway, and asks the app for the release code when the gateway wants one.
struct GatewayWait: Sendable {
    let core: ClientCore
    let signIn: PendingSignIn
    let releaseCode: (@Sendable (ReleaseCodeQuestion) async -> String?)?

    func outcome() async -> Result<JSONObject, AuthenticationError> {
        do throws(AuthenticationError) {
            switch try await progress(seen: .pending) {
            case .outcome(let outcome): return .success(outcome)
            case .releaseRequired: break
            }
            // Asked beside the wait: the sign-in may also end in the browser, or by itself.
            let end = Promise<Result<JSONObject, AuthenticationError>>()
            let question = core.runtime.loop.start {
                if let failure = await giveCode() { end.fulfil(.failure(failure)) }
            }
            let waiting = core.runtime.loop.start { end.fulfil(await afterRelease()) }
            defer {
                question.cancel()
                waiting.cancel()
            }
            return await withTaskCancellationHandler {
                await end.value
            } onCancel: {
                question.cancel()
                waiting.cancel()
                end.fulfil(.failure(.canceled))
            }
        } catch {
            return .failure(error)
        }
    }

    private func afterRelease() async -> Result<JSONObject, AuthenticationError> {
        do throws(AuthenticationError) {
            guard case .outcome(let outcome) = try await progress(seen: .releaseRequired) else {
                throw AuthenticationError(
                    .gatewayFailed, nil, "the gateway asks for a code again, though it has one")
            }
            return .success(outcome)
        } catch {
            return .failure(error)
        }
    }

    private func progress(seen: SignInStatus) async throws(AuthenticationError) -> PendingSignIn.Progress {
        do throws(GatewayCallError) {
            return try await signIn.wait(seen: seen, with: core.runtime.client) { _ in
                core.log.warning("the gateway gives no answer; asking again")
            }
        } catch {
            throw AuthenticationError(error)
        }
    }

    /// Asks for a code until it is right.
    /// - Returns: the error that ends the sign-in; nil if the outcome decides.
    private func giveCode() async -> AuthenticationError? {
        guard let releaseCode else {
            return AuthenticationError(
                .releaseFailed, nil,
                "the gateway wants a release code, and the request has no releaseCode to ask for it")
        }
        var attemptsLeft: Int?
        while true {
            let question = ReleaseCodeQuestion(reference: signIn.reference, attemptsLeft: attemptsLeft)
            let code: String?
            do throws(AuthenticationError) {
                code = try await core.runtime.askApp(before: .never) { await releaseCode(question) }
            } catch {
                // The sign-in has ended in between.
                return nil
            }
            guard let code else {
                return AuthenticationError(.userCanceled, nil, "the release code was not given")
            }
            do throws(GatewayCallError) {
                switch try await signIn.release(code: code, with: core.runtime.client) {
                case .released, .over, .wrong(attemptsLeft: 0): return nil
                case .wrong(let left): attemptsLeft = left
                }
            } catch {
                guard error.isPassing else { return AuthenticationError(error) }
                // Whether the gateway has seen the code is unknown. The person decides about another try: a wrong code
                // that is sent twice would cost two tries. If the code was right, the wait finds out.
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }
}
