internal import SwitchyardHTTPClient
internal import SwitchyardOAuth
internal import SwitchyardReactor
internal import SwitchyardText

/// A failed try.
private struct FailedAttempt: Error {
    let failure: SignInFailure
    /// The pause before the second try; nil when a second try is forbidden.
    let pause: Duration?
}

extension Redeemer {
    /// Sends a request that counts once, and reads its answer.
    ///
    /// It is sent a second time only if no part of it was sent the first time, or if the issuer answered with a 5xx. A
    /// code is good for one try, so a request without an answer is never sent again (rules: exactly once).
    /// - Parameter make: makes the request anew for each try, because an assertion in it counts once.
    func send<Value>(
        to issuer: Issuer, for call: IssuerCall, making make: () throws(SignInFailure) -> OutgoingRequest,
        reading read: (IssuerAnswer) throws(SignInFailure) -> Value
    ) async throws(SignInFailure) -> Value {
        let first = try make()
        do throws(FailedAttempt) {
            return try await attempt(first, to: issuer, for: call, reading: read)
        } catch {
            guard let pause = error.pause else { throw error.failure }
            await EventLoop.sleep(until: Instant.now() + pause)
        }
        let request = try make()
        do throws(FailedAttempt) {
            return try await attempt(request, to: issuer, for: call, reading: read)
        } catch {
            throw error.failure
        }
    }

    private func attempt<Value>(
        _ request: OutgoingRequest, to issuer: Issuer, for call: IssuerCall,
        reading read: (IssuerAnswer) throws(SignInFailure) -> Value
    ) async throws(FailedAttempt) -> Value {
        let begin = Instant.now()
        let answer: IncomingResponse
        do throws(TransferError) {
            answer = try await client.send(request)
        } catch {
            note(call.endpoint, of: issuer, IssuerExchange.Problem(error), since: begin)
            let failure = TokenEndpoint.failure(error, of: call)
            guard !error.wasSent, error.kind != .invalidRequest else {
                throw FailedAttempt(failure: failure, pause: nil)
            }
            // A network that comes back takes longer than a server that does.
            throw FailedAttempt(failure: failure, pause: error.obstacle == .offline ? retryDelay * 4 : retryDelay)
        }
        do throws(SignInFailure) {
            let value = try read(IssuerAnswer(answer: answer, now: time.wall().seconds))
            note(call.endpoint, of: issuer, nil, since: begin)
            return value
        } catch {
            note(call.endpoint, of: issuer, IssuerExchange.Problem(error), since: begin)
            throw FailedAttempt(failure: error, pause: (500...599).contains(answer.status) ? retryDelay : nil)
        }
    }

    /// - Parameter problem: nil when all went well.
    func note(
        _ endpoint: IssuerExchange.Endpoint, of issuer: Issuer, _ problem: IssuerExchange.Problem?, since begin: Instant
    ) {
        report(
            IssuerExchange(
                issuer: issuer.settings.name, endpoint: endpoint, problem: problem,
                duration: Instant.now() - begin,
                proxy: problem?.result == .unreachable ? issuer.settings.proxy?.address : nil))
    }
}
