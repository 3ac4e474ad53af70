internal import SwitchyardCrypto
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRedemption

/// The clients that register themselves: one for each issuer and redirect URI, for all gateways of a store.
///
/// One of several callers registers. It first writes a lock that lapses by itself, so a gateway that ends meanwhile
/// holds up the others for some seconds. If the store fails between the issuer's answer and the writing, that client is
/// lost: the call fails, and the next one registers another client.
struct ClientRegistrations: Sendable {
    let registry: RequestRegistry
    /// An agent keeps its clients with its tokens, and here only for as long as it runs; nil for the registry's store.
    let table: RegistrationTable?
    /// Gets a warning of a record that no gateway has written.
    let warn: @Sendable (String) -> Void

    private struct Found {
        let kept: RequestRegistry.StoredRegistration
        let state: RegistrationState
    }

    private static let patience = Duration.seconds(20)
    private static let pause = Duration.milliseconds(150)
    private static let tries = 5

    static func key(_ issuer: String, _ redirectURI: RedirectURI) -> ShortDigest {
        ShortDigest(SHA256Digest(of: "client at \(issuer) for \(redirectURI.text)"))
    }

    /// The client of tokens that there are, also one that covers too few scopes; nil without one.
    func present(_ key: ShortDigest) async throws(ResourceRefusal) -> ClientRegistration? {
        do throws(StoreError) {
            return try await find(key).state.clientOfTokens
        } catch {
            throw .storeFailed
        }
    }

    /// The client for a sign-in, registered by one caller for all that ask meanwhile.
    /// - Parameter register: gets the scopes that the new client has to cover.
    func client(
        _ key: ShortDigest, covering scope: Scopes,
        register: (Scopes) async throws(ResourceRefusal) -> ClientRegistration
    ) async throws(ResourceRefusal) -> ClientRegistration {
        let deadline = Instant.now() + Self.patience
        let owner = Random.token(byteCount: 9)
        while true {
            let locked: Found
            do {
                let found = try await find(key)
                switch found.state.step(of: owner, covering: scope, at: registry.now.seconds) {
                case .use(let client): return client
                case .refuse:
                    throw ResourceRefusal.clientRequired(
                        "the issuer refused two registered clients; none is made for an hour")
                case .wait:
                    guard Instant.now() < deadline else { throw ResourceRefusal.storeFailed }
                    await EventLoop.sleep(until: .now() + Self.pause)
                    continue
                case .register(let state):
                    guard let own = try await replace(found, key, by: state) else { continue }
                    locked = own
                }
            } catch let error as ResourceRefusal {
                throw error
            } catch {
                throw .storeFailed
            }
            let made: ClientRegistration
            do throws(ResourceRefusal) {
                made = try await register(ResourceScopes.registered(scope, locked.state.scope))
            } catch {
                await change(key) { $0.state.lock?.owner == owner ? $0.state.unlocked() : nil }
                throw error
            }
            if try await keep(made, over: locked, key) { return made }
            // The lock has lapsed, and another caller has written since: its client counts.
        }
    }

    /// Tokens have come with a client.
    func use(_ key: ShortDigest, _ clientID: String) async {
        await change(key) { found in
            let isOld = found.kept.isOfEarlierKey && found.state.client?.clientID == clientID
            return found.state.used(clientID, at: registry.now.seconds) ?? (isOld ? found.state : nil)
        }
    }

    /// The issuer has refused a client.
    func refuse(_ key: ShortDigest, _ clientID: String) async {
        await change(key) { $0.state.refused(clientID, at: registry.now.seconds) }
    }

    /// Forgets a client that can no longer be used, through no fault of the issuer.
    func forget(_ key: ShortDigest, _ clientID: String) async {
        await change(key) { $0.state.forgotten(clientID) }
    }

    // MARK: The store

    /// Writes a new client; tried again while the store is out, as long as others leave the registering to this caller.
    private func keep(
        _ made: ClientRegistration, over locked: Found, _ key: ShortDigest
    ) async throws(ResourceRefusal) -> Bool {
        let end = Instant.now() + .seconds(RegistrationState.lockSeconds / 2)
        var seen = locked
        while true {
            do throws(StoreError) {
                if try await replace(seen, key, by: seen.state.registered(made)) != nil { return true }
                let present = try await find(key)
                // An earlier try may have been taken without an answer.
                if present.state.client == made { return true }
                // Another caller may have noted a token of the client before.
                guard present.state.lock == locked.state.lock else { return false }
                seen = present
            } catch {
                guard Instant.now() < end else { throw .storeFailed }
                await EventLoop.sleep(until: .now() + .milliseconds(300))
            }
        }
    }

    /// Works a change out and writes it, until no other caller was quicker. A store that is out loses the change: the next refusal
    /// by the issuer, or the next token, says the same again.
    private func change(_ key: ShortDigest, _ work: (Found) -> RegistrationState?) async {
        for _ in 0..<Self.tries {
            guard let found = try? await find(key), let next = work(found) else { return }
            do throws(StoreError) {
                if try await replace(found, key, by: next) != nil { return }
            } catch {
                await EventLoop.sleep(until: .now() + Self.pause)
            }
        }
    }

    private func find(_ key: ShortDigest) async throws(StoreError) -> Found {
        let kept = try await registry.registration(key, in: table)
        let state = kept.content.flatMap { RegistrationState(packed: $0) }
        if kept.isDamaged || kept.content != nil && state == nil {
            warn(
                "a client of a resource in the store was not written by a gateway with these encryption_keys; it counts as none"
            )
        }
        return Found(kept: kept, state: state ?? RegistrationState())
    }

    /// - Returns: nil if another caller was quicker.
    private func replace(
        _ found: Found, _ key: ShortDigest, by state: RegistrationState
    ) async throws(StoreError) -> Found? {
        let until = Timestamp(milliseconds: state.end(at: registry.now.seconds) * 1000)
        let content = state.isEmpty ? nil : state.packed
        return try await registry.replace(found.kept, key, by: content, until: until, in: table).map {
            Found(kept: $0, state: state)
        }
    }
}

extension Exchange {
    var registrations: ClientRegistrations { worker.registrations(setup) }
}

extension GatewayWorker {
    func registrations(_ setup: Setup) -> ClientRegistrations {
        ClientRegistrations(
            registry: registry, table: core.agent == nil ? nil : setup.resources.registrations,
            warn: { [events = core.events, known = setup.resources] warning in
                if known.mayWarn() { events.report(.gateway(.storeWarning(warning))) }
            })
    }
}
