internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardReactor
internal import SwitchyardRouting
internal import SwitchyardTLS
internal import SwitchyardText

/// Whether a caller may begin sign-ins for an app that takes only some (`begin_from`): its client
/// authentication is not to be borrowed.
struct BeginAuthorization {
    let exchange: Exchange

    private var caller: Caller { exchange.caller }
    private var request: Request { exchange.request }

    /// Passes when one of the lists vouches for the caller.
    /// - Throws: 401 `invalid_client` when an API key could help and the call has no key, else 403
    ///   `unauthorized_client`.
    /// - Returns: false when the app takes all callers, so that the caller stays unknown.
    func check(_ app: AppRegistration) throws(APIError) -> Bool {
        guard let beginFrom = app.beginFrom else { return false }
        if isListed(in: beginFrom) || hasAPIKey(of: beginFrom) || hasCertificate(for: app) { return true }
        guard beginFrom.apiKeyHashes.isEmpty || request.hasField("authorization") else {
            throw APIError(
                .unauthorized, "invalid_client",
                "the app's begin_from asks for \"Authorization: Bearer\" with its API key"
            ).noted(.beginRefused(app: app.id))
        }
        throw APIError(
            .forbidden, "unauthorized_client",
            "the app's begin_from permits neither \(seen) nor what the call shows"
        ).noted(.beginRefused(app: app.id))
    }

    /// The caller as the lists saw it, for the operator that set up a proxy.
    private var seen: String {
        caller.isNobody || exchange.peerAddress == nil
            ? "who is behind \(caller.text), a proxy that does not say for whom it asks or is not in trusted_proxies"
            : "the caller, which is seen as \(caller.text),"
    }

    private func isListed(in beginFrom: BeginFrom) -> Bool {
        caller.uid.map { beginFrom.permits(uid: $0) } ?? exchange.knownAddress.map { beginFrom.permits($0) } ?? false
    }

    /// `Authorization: Bearer KEY` (RFC 6750 section 2.1), compared by digests, so that the time does not depend on the
    /// key.
    private func hasAPIKey(of beginFrom: BeginFrom) -> Bool {
        guard !beginFrom.apiKeyHashes.isEmpty, let field = request.field("authorization"),
            let space = field.firstIndex(of: " "), field[..<space].asciiLowercased == "bearer"
        else { return false }
        let key = field[field.index(after: space)...].trimmingSpaces()
        return beginFrom.permits(apiKeyHash: SHA256Digest(of: String(key)))
    }

    /// The certificate is the peer's. A proxy's certificate does not identify the caller behind it.
    private func hasCertificate(for app: AppRegistration) -> Bool {
        guard let anchors = exchange.setup.trustAnchors(of: app), !caller.isProxied, exchange.peerAddress != nil,
            let certificate = request.connection.clientCertificate
        else { return false }
        return anchors.vouch(for: certificate)
    }
}
