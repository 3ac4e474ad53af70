internal import Glibc
internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardGatewayClient
internal import SwitchyardHTTP
internal import SwitchyardHTTPClient
internal import SwitchyardHandlers
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting
internal import SwitchyardText
internal import Synchronization

/// A sign-in with a redirect URI at another gateway. This gateway waits for the callback there, takes it, and continues
/// as with its own.
///
/// The request's record holds the data for the calls to the other gateway, sealed (``RequestSecrets/remoteSignIn``). So
/// another process can continue if the store outlives this one. Safe from any thread.
final class RemoteSignIn: Sendable {
    /// The reference for people, here and there.
    let reference: Reference
    /// The address at which a browser begins; nil if the app composes the authorization request.
    let startURL: String?
    /// Whether the browser must begin there.
    let mustStartThere: Bool
    let lifetime: Duration
    private let signIn: PendingSignIn
    private let gateway: String
    /// The caller that began here.
    private let caller: Caller
    private let standing = Atomic(Standing.waiting)
    /// When the other gateway began to hold the code, in seconds since 1970; 0 before.
    private let heldSince = Atomic<Int64>(0)
    /// Whether this gateway no longer waits for it.
    private let isGivenUp = Atomic(false)

    private enum Standing: UInt8, AtomicRepresentable {
        case waiting
        /// The other gateway holds the code until the app has proved that it belongs to the browser.
        case held
        /// It has.
        case released
    }

    init(_ signIn: PendingSignIn, _ reference: Reference, at gateway: String, for caller: Caller) {
        self.signIn = signIn
        self.reference = reference
        self.gateway = gateway
        self.caller = caller
        startURL = signIn.startURL.isEmpty ? nil : signIn.startURL
        mustStartThere = signIn.startURL == signIn.authorizationURL
        lifetime = .seconds(min(signIn.lifetime, 3600))
    }

    /// A sign-in that an earlier process has begun. nil if its data are missing, or if the gateway is no longer the
    /// app's: it would get the token of the other one.
    init?(resuming record: RequestRecord, _ secrets: RequestSecrets?, at gateway: RemoteGateway, _ route: OutgoingRoute)
    {
        guard let data = (secrets?.remoteSignIn?.exposedBytes).flatMap({ try? JSONValue.parse($0) })?.object,
            data["gateway"]?.string == gateway.url, let text = data["sign_in"]?.string,
            let connection = try? GatewayConnection(gateway, route),
            let signIn = PendingSignIn(resuming: Secret(text), at: connection)
        else { return nil }
        self.signIn = signIn
        self.gateway = gateway.url
        reference = record.reference
        caller = Caller(Peer.local(uid: record.beginner.uid ?? geteuid()))
        startURL = nil
        mustStartThere = false
        lifetime = .seconds(min(signIn.lifetime, 3600))
    }

    /// The data for ``RequestSecrets/remoteSignIn``.
    var resumption: Secret? {
        signIn.resumption.map { signIn in
            Secret(
                JSONValue.object(["gateway": .string(gateway), "sign_in": .string(signIn.exposedText)]).serialized)
        }
    }

    /// Whether the other gateway waits for the app's proof that it belongs to the browser.
    var isHeld: Bool { standing.load(ordering: .relaxed) == .held }

    // MARK: Waiting

    /// Waits until it is over, there or here.
    func follow(_ record: RequestRecord, on worker: GatewayWorker) {
        // The one that was first follows it.
        guard worker.core.remotes.add(self, for: record.id) else { return }
        worker.loop.start { [self] in
            await wait(for: record, on: worker)
            worker.core.remotes.remove(record.id)
        }
    }

    private func wait(for record: RequestRecord, on worker: GatewayWorker) async {
        var seen = SignInStatus.pending
        while true {
            do throws(GatewayCallError) {
                let progress = try await signIn.wait(
                    seen: seen, with: worker.gateways,
                    whenSetBack: { failure in
                        worker.core.events.report(.gateway(.remoteSilent(gateway: gateway, reason: "\(failure)")))
                    }, while: { await isAwaited(record, on: worker) })
                switch progress {
                case .releaseRequired:
                    seen = .releaseRequired
                    standing.store(.held, ordering: .relaxed)
                    heldSince.store(WallTime.now().seconds, ordering: .relaxed)
                    worker.core.events.report(.held(nil), of: record)
                    worker.registry.changes.notify(record.id)
                case .outcome(let outcome):
                    await take(outcome, for: record, on: worker)
                    // Here it is stored by now; there it is of no more use.
                    _ = try? await signIn.end(with: worker.gateways)
                    return
                }
            } catch {
                return await end(record, because: error, on: worker)
            }
        }
    }

    /// Whether the request is still open here. The other gateway may have a new owner by now, so it must not decide how
    /// long it is asked.
    private func isAwaited(_ record: RequestRecord, on worker: GatewayWorker) async -> Bool {
        guard !isGivenUp.load(ordering: .relaxed) else { return false }
        do throws(StoreError) {
            return try await worker.registry.find(.id(record.id)).map { !$0.isFinished } ?? false
        } catch {
            return true
        }
    }

    /// Ends it at the other gateway, so that the page in the browser shows the end.
    func cancel(on worker: GatewayWorker) {
        isGivenUp.store(true, ordering: .relaxed)
        worker.loop.start { [signIn] in _ = try? await signIn.end(with: worker.gateways) }
    }

    // MARK: The outcome

    private func take(_ outcome: JSONObject, for record: RequestRecord, on worker: GatewayWorker) async {
        guard outcome["status"]?.string == "completed" else {
            let failure = SignInFailure(json: outcome["error"]?.object ?? [:])
            // The other gateway has cut it already, if it is an honest one.
            let needsNone = worker.setup.routes.app(record.app)?.release == ReleasePolicy.none
            let mayTellAll = needsNone || standing.load(ordering: .relaxed) == .released
            return await fail(record, mayTellAll ? failure : failure.beforeRelease, on: worker)
        }
        let setup = worker.setup
        guard let form = record.redirect?.form, let route = setup.routes.route(form) else {
            return await fail(record, .registrationChanged, on: worker)
        }
        guard let url = outcome["url"]?.string, let address = try? CallbackAddress(relayed: url), address.form == form
        else { return await fail(record, Self.strange(gateway, "a callback of another address"), on: worker) }
        let content = address.query.isEmpty ? Self.content(outcome) : nil
        // No more than a program that relays could bring.
        guard max(url.utf8.count, content?.count ?? 0) <= setup.configuration.limits.http.bodyBytes else {
            return await fail(record, Self.strange(gateway, "a callback that is too large"), on: worker)
        }
        let heldSince = heldSince.load(ordering: .relaxed)
        let arrival = heldSince == 0 ? nil : heldSince
        // A sign-in that was held completes by its release, whose answer may come after the outcome.
        let isReleased = standing.load(ordering: .relaxed) != .waiting
        let callback = ArrivedCallback(
            at: route, query: address.query, content: content, url: url,
            from: .gateway(record.id, isReleased: isReleased), caller, arrival: arrival)
        await bring(callback, for: record, on: worker)
    }

    /// The body of a POST.
    private static func content(_ outcome: JSONObject) -> [UInt8] {
        FormEncoding.encode((outcome["parameters"]?.object?.members ?? []).map { ($0.name, $0.value.string ?? "") })
    }

    /// How long a store, or an issuer's keys, may be out of reach.
    private static let outageLimit = Duration.seconds(60)

    private func bring(_ callback: ArrivedCallback, for record: RequestRecord, on worker: GatewayWorker) async {
        if await handOver(callback, for: record, on: worker) { return }
        let deadline = Instant.now() + Self.outageLimit
        while true {
            let setup = worker.setup
            do throws(IntakeError) {
                _ = try await CallbackIntake(worker: worker, setup: setup).accept(callback)
                return
            } catch {
                guard error.problem == .unavailable, Instant.now() < deadline else {
                    worker.core.events.report(
                        .refused(error.problem), app: callback.route.app.id, record.reference, from: caller,
                        by: .gateway)
                    return await fail(record, Self.strange(gateway, error.problem.rawValue), on: worker)
                }
                await EventLoop.sleep(until: .now() + .seconds(1))
            }
        }
    }

    /// Gives it to the app's own handlers first, where it has some; what they do not take its request has.
    /// - Returns: whether one took it; then the request is over.
    private func handOver(
        _ callback: ArrivedCallback, for record: RequestRecord, on worker: GatewayWorker
    ) async -> Bool {
        let deliveries = callback.route.app.handlers.deliveries
        // A callback of another request is refused where every callback is judged.
        guard !deliveries.isEmpty, await callback.pendingRequest(in: worker.registry, worker.setup)?.id == record.id
        else {
            return false
        }
        let handOver = HandOver(
            callback, to: HandlerList(deliveries, last: .pending), of: record, worker.setup, on: worker)
        let done: Signal
        switch try? await handOver.begin() {
        case .begun(let signal): done = signal
        case .leftToLast, nil: return false
        case .repeated:
            // Its request must not have it as well.
            await fail(
                record,
                SignInFailure(.internal, description: "the callback was being handed over when the agent ended"),
                on: worker)
            return true
        }
        _ = await done.wait(until: .now() + HandOver.handlersLimit + Self.outageLimit)
        if handOver.isLeftToLast { return false }
        // A taken callback has ended it, unless the store was out.
        await fail(
            record,
            SignInFailure(.internal, description: "the app has or gets the callback, but the agent could not note it"),
            on: worker)
        return true
    }

    private static func strange(_ gateway: String, _ what: String) -> SignInFailure {
        SignInFailure(
            .invalidResponse, description: "the gateway at \(gateway) brought what is not this sign-in's: \(what)")
    }

    /// Ends a request that can no longer complete.
    private func end(_ record: RequestRecord, because failure: GatewayCallError, on worker: GatewayWorker) async {
        switch failure {
        case .expired:
            _ = try? await worker.registry.expire(record.id) { [events = worker.core.events] in
                events.report(.expired, of: $0)
            }
        case .refused(let refusal) where refusal.status == 404:
            await fail(
                record,
                SignInFailure(
                    .internal,
                    description:
                        "the gateway at \(gateway) no longer knows the sign-in: it may have been restarted; begin again"
                ), on: worker)
        case .invalidAddress, .unreachable, .refused, .answeredByAnother, .malformedResponse, .local, .canceled:
            await fail(record, SignInFailure(.network, description: "\(IssuerText("\(failure)"))"), on: worker)
        }
    }

    private func fail(_ record: RequestRecord, _ failure: SignInFailure, on worker: GatewayWorker) async {
        let end = Instant.now() + Self.outageLimit
        while Instant.now() < end {
            do throws(StoreError) {
                return try await RemoteSignIns.fail(record, failure, on: worker)
            } catch {
                await EventLoop.sleep(until: .now() + .seconds(1))
            }
        }
    }

    // MARK: The release

    /// Brings the app's proof from the browser to the gateway that asked for it.
    func release(
        _ given: GivenProof, _ record: RequestRecord, on worker: GatewayWorker
    ) async throws(APIError) -> PendingSignIn.ReleaseResponse {
        do throws(GatewayCallError) {
            let proof: PendingSignIn.ReleaseProof =
                switch given {
                case .code(let code): .code(code)
                case .ticket(let ticket): .ticket(ticket)
                }
            let answer = try await signIn.release(proof, with: worker.gateways)
            if case .released = answer {
                standing.store(.released, ordering: .relaxed)
                worker.core.events.report(.released, of: record)
                worker.registry.changes.notify(record.id)
            }
            return answer
        } catch {
            if case .refused(let refusal) = error, refusal.status == 429 {
                throw APIError(
                    .tooManyRequests, "slow_down", IssuerText("\(refusal)").text, retryAfter: refusal.retryAfter ?? 5)
            }
            throw APIError(
                .serviceUnavailable, "temporarily_unavailable",
                IssuerText("\(error); give the code in again").text, retryAfter: error.retryAfter ?? 5)
        }
    }
}
