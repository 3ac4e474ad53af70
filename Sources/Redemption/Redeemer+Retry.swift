internal import SwitchyardHTTPClient
internal import SwitchyardOAuth
internal import SwitchyardReactor
internal import SwitchyardText

/// A failed try.
private struct FailedAttempt: Error {
    let failure: SignInFailure
    /// The pause before the second try; nil when a second try is forbidden.
    let pause: Duration?
    /// Whether the server has used up nothing, and wants another nonce in the proof of possession.
    var wantsNonce = false
}

extension Redeemer {
    /// Sends a request that counts once, and reads its answer.
    ///
    /// It is sent a second time only if no part of it was sent the first time, or if the issuer answered with a 5xx. A
    /// code is good for one try, so a request without an answer is never sent again (rules: exactly once). A server that
    /// wants another nonce in the proof of possession has used nothing up, and gets the request once more.
    /// - Parameters:
    ///   - proving: the proofs of possession of the requests; nil without.
    ///   - make: makes the request anew for each try, because an assertion in it counts once.
    func send<Value>(
        to issuer: Issuer, for call: IssuerCall, proving: Proving? = nil,
        making make: () throws(SignInFailure) -> OutgoingRequest,
        reading read: (IssuerAnswer) throws(SignInFailure) -> Value
    ) async throws(SignInFailure) -> Value {
        var (mayRepeat, mayTakeNonce) = (true, proving?.isRepeatable ?? false)
        while true {
            var request = try make()
            if let proving {
                request.headers.append(("DPoP", try proving.proof(for: request, now: time.wall().seconds)))
                // A proof counts once, so nothing below may repeat it.
                request.isSentOnce = true
            }
            do throws(FailedAttempt) {
                return try await attempt(request, to: issuer, for: call, proving, reading: read)
            } catch {
                if error.wantsNonce, mayTakeNonce {
                    mayTakeNonce = false
                    continue
                }
                guard mayRepeat, proving?.isRepeatable ?? true, let pause = error.pause else { throw error.failure }
                mayRepeat = false
                await EventLoop.sleep(until: Instant.now() + pause)
            }
        }
    }

    private func attempt<Value>(
        _ request: OutgoingRequest, to issuer: Issuer, for call: IssuerCall, _ proving: Proving?,
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
        // Also from a good answer: the next proof needs it.
        if let proving, let nonce = answer.proofNonce { proving.nonces.remember(nonce, of: proving.server) }
        do throws(SignInFailure) {
            let value = try read(IssuerAnswer(answer: answer, now: time.wall().seconds))
            note(call.endpoint, of: issuer, nil, since: begin)
            return value
        } catch {
            var failure = error
            let wantsNonce = proving != nil && error.wantsProofNonce(answer)
            if wantsNonce { failure.proofNonce = answer.proofNonce }
            // The wish for a nonce is a step of the exchange, and no fault of either side.
            note(
                call.endpoint, of: issuer, wantsNonce ? nil : IssuerExchange.Problem(error), since: begin)
            throw FailedAttempt(
                failure: failure, pause: (500...599).contains(answer.status) ? retryDelay : nil, wantsNonce: wantsNonce)
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
