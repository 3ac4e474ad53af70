public import SwitchyardOAuth
public import SwitchyardRedemption
public import SwitchyardRouting

/// The part of an agent that keeps tokens and clients for resources. Only from a task of a loop.
public protocol ResourceKeeper: Sendable {
    /// The `use_from` lists of all entries that may give tokens for this resource.
    func lists(of resource: ResourceURL) -> [UseFrom]

    /// Finds the kept sign-ins to an URL that was asked for, the newest first.
    func grants(for asked: ResourceURL) async throws(AgentRefusal) -> [KeptGrant]

    /// Finds the kept sign-ins to resources that cover an URL, asked for or not.
    func grants(covering asked: ResourceURL) async throws(AgentRefusal) -> [KeptGrant]

    /// Keeps the tokens of a sign-in in place of those of an earlier one.
    func keep(_ grant: KeptGrant, telling tell: @escaping @Sendable (KeepingNews) -> Void) async

    /// The kept sign-in also serves an URL for which discovery has led to it.
    func serve(_ asked: ResourceURL, by key: KeptGrant.Key) async

    /// Renews the tokens of a sign-in, once for all that ask meanwhile.
    /// - Parameters:
    ///   - seen: as the caller has found it. If another caller has renewed it since, that result counts.
    ///   - refresh: asks the issuer.
    /// - Returns: the renewed sign-in; nil when the person has signed out meanwhile.
    func renew(
        _ seen: KeptGrant, by refresh: @escaping @Sendable (KeptGrant) async throws(SignInFailure) -> KeptGrant
    ) async throws(SignInFailure) -> KeptGrant?

    /// Forgets a sign-in.
    /// - Returns: the kept sign-in; nil without one.
    @discardableResult
    func remove(_ key: KeptGrant.Key) async throws(AgentRefusal) -> KeptGrant?

    /// Why tokens are in this process's memory alone; nil if they are stored.
    var keepingProblem: KeepingProblem? { get }

    /// The client that was registered at an issuer for a redirect URI.
    /// - Parameter base: the redirect URI without the port.
    func client(at issuer: String, for base: RedirectURI) async -> ClientRegistration?

    /// Keeps a client in place of an earlier one.
    func keep(_ client: ClientRegistration, at issuer: String, for base: RedirectURI) async

    /// Forgets a client that its issuer refuses, or that lost its port to another program.
    func forgetClient(_ id: String, at issuer: String) async
}

extension UseFrom {
    /// Whether one of the lists lets no program use what it guards.
    static func isClosed(_ lists: [UseFrom]) -> Bool { lists.contains(where: \.isNobody) }
}
