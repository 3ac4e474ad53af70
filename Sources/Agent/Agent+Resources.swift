internal import SwitchyardClient
public import SwitchyardGateway
internal import SwitchyardHTTP
internal import SwitchyardHTTPClient
public import SwitchyardOAuth
internal import SwitchyardReactor
public import SwitchyardRedemption
internal import SwitchyardTokenStorage

/// Tokens and clients for resources. Only from a task of a loop.
extension Agent {
    public var keepingProblem: KeepingProblem? { vault.problem }

    public func grants(for asked: ResourceURL) async throws(AgentRefusal) -> [KeptGrant] {
        try await document().grants.filter { $0.askedURLs.contains(asked.text) }
    }

    public func grants(covering asked: ResourceURL) async throws(AgentRefusal) -> [KeptGrant] {
        try await document().grants.filter { kept in
            (try? ResourceURL(kept.grant.resource, allowingLoopbackHTTP: true))?.covers(asked) == true
        }
    }

    public func keep(_ grant: KeptGrant, telling tell: @escaping @Sendable (KeepingNews) -> Void) async {
        _ = try? await vault.update(telling: tell) { $0.put(grant) }
    }

    public func serve(_ asked: ResourceURL, by key: KeptGrant.Key) async {
        _ = try? await vault.update { $0.serve(asked.text, by: key) }
    }

    public func remove(_ key: KeptGrant.Key) async throws(AgentRefusal) -> KeptGrant? {
        do throws(TokenStorageError) {
            return try await vault.update { $0.remove(key) }
        } catch {
            throw AgentRefusal(error)
        }
    }

    public func renew(
        _ seen: KeptGrant, by refresh: @escaping @Sendable (KeptGrant) async throws(SignInFailure) -> KeptGrant
    ) async throws(SignInFailure) -> KeptGrant? {
        let outcome = await renewals.share(seen.key) { [vault] in
            do throws(SignInFailure) {
                return .success(try await Self.renew(seen, in: vault, by: refresh))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    private static let leaseSeconds = RefreshLease.length(issuerTimeout: GivenAddressRules.timeout)

    /// - Parameter patience: the wait for another agent that refreshes the same tokens.
    static func renew(
        _ seen: KeptGrant, in vault: ResourceVault, patience: RefreshWait = RefreshWait(seconds: leaseSeconds),
        by refresh: @Sendable (KeptGrant) async throws(SignInFailure) -> KeptGrant
    ) async throws(SignInFailure) -> KeptGrant? {
        var patience = patience
        let owner = RefreshLease.newOwner()
        LivingOwners.insert(owner)
        defer { LivingOwners.remove(owner) }
        while true {
            switch try await nextStep(of: owner, seen, in: vault) {
            case .gone: return nil
            case .renewed(let renewed): return renewed
            case .mine(let present): return try await renew(present, by: owner, in: vault, by: refresh)
            case .others:
                guard await patience.wait() else {
                    throw SignInFailure(
                        .temporarilyUnavailable, description: IssuerText(RefreshWait.tooLong),
                        retryAfter: RefreshWait.retryAfter)
                }
            }
        }
    }

    /// The next step of a caller that found tokens to be renewed.
    private enum RenewalStep: Sendable {
        /// The person has signed out.
        case gone
        /// Another caller has renewed it between this one's look and its step. A token that rotates is good once.
        case renewed(KeptGrant)
        case mine(KeptGrant)
        /// Another agent of this user refreshes it.
        case others
    }

    private static func nextStep(
        of owner: String, _ seen: KeptGrant, in vault: ResourceVault
    ) async throws(SignInFailure) -> RenewalStep {
        do throws(TokenStorageError) {
            return try await vault.update { document in
                guard let present = document.grant(seen.key) else { return .gone }
                guard present.hasTokens(of: seen) else { return .renewed(present) }
                let isMine = document.takeLease(of: seen.key, for: owner, at: .now(), seconds: leaseSeconds)
                return isMine ? .mine(present) : .others
            }
        } catch {
            throw SignInFailure(.temporarilyUnavailable, description: IssuerText("\(error)"))
        }
    }

    private static func renew(
        _ present: KeptGrant, by owner: String, in vault: ResourceVault,
        by refresh: @Sendable (KeptGrant) async throws(SignInFailure) -> KeptGrant
    ) async throws(SignInFailure) -> KeptGrant? {
        do throws(SignInFailure) {
            let renewed = try await refresh(present)
            // The issuer has given a token. If it cannot be stored, it stays in memory.
            return try? await vault.update(assuming: present) { $0.renew(renewed, of: present) }
        } catch {
            let isOver = [.invalidGrant, .interactionRequired, .unauthorizedClient, .invalidClient].contains(error.code)
            _ = try? await vault.update { document in
                document.endLease(of: present.key, for: owner)
                if isOver { document.remove(refused: present) }
            }
            throw error
        }
    }

    // MARK: Clients

    public func client(at issuer: String, for base: RedirectURI) async -> ClientRegistration? {
        (try? await vault.document())?.client(at: issuer, for: base.text)
    }

    public func keep(_ client: ClientRegistration, at issuer: String, for base: RedirectURI) async {
        await vault.insist { $0.put(client, at: issuer, for: base.text) }
    }

    public func forgetClient(_ id: String, at issuer: String) async {
        _ = try? await vault.update { $0.removeClient(id, at: issuer) }
    }

    private func document() async throws(AgentRefusal) -> ResourceDocument {
        do throws(TokenStorageError) {
            return try await vault.document()
        } catch {
            throw AgentRefusal(error)
        }
    }
}

extension AgentRefusal {
    fileprivate init(_ error: TokenStorageError) {
        self.init(.serviceUnavailable, "cache_failed", "\(error)", retryAfter: 5, failure: .internal)
    }
}
