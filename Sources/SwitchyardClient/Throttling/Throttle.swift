internal import SwitchyardCrypto
internal import SwitchyardOAuth
internal import SwitchyardText
internal import Synchronization

/// Keeps silent requests from hurrying an issuer that has just said no. Safe from any thread; in memory only.
final class Throttle: Sendable {
    private let table = Mutex(ThrottleTable<AuthenticationError>())
    private let isEnabled: Bool

    init(isEnabled: Bool) {
        self.isEnabled = isEnabled
    }

    /// - Throws: the failure that the same request had a moment ago, marked as such.
    func check(_ keys: ThrottleKeys, at now: UnixTime) throws(AuthenticationError) {
        guard isEnabled else { return }
        let failure = table.withLock { table in
            table.failure(of: keys.server, at: now) ?? table.failure(of: keys.request, at: now)
        }
        guard var failure else { return }
        failure.isFromThrottling = true
        throw failure
    }

    func note(_ failure: AuthenticationError, _ keys: ThrottleKeys, account: AccountKey, at now: UnixTime) {
        guard isEnabled else { return }
        let isBusy = failure.httpStatus == 429 || (failure.httpStatus ?? 0) >= 500 || failure.retryAfter != nil
        table.withLock { table in
            if isBusy {
                table.note(
                    failure, of: keys.server, .serverBusy(retryAfter: failure.retryAfter), account: account, at: now)
            } else if failure.code == .serverDeclinedScopes || failure.oauthError != nil, !failure.isPassing {
                table.note(failure, of: keys.request, .interactionRequired, account: account, at: now)
            }
        }
    }

    func interactionSucceeded(for account: AccountKey) {
        table.withLock { $0.interactionSucceeded(for: account) }
    }
}

/// The keys by which two requests count as the same: to a server that is busy, and to one that wants the person.
struct ThrottleKeys: Sendable {
    let server: SHA256Digest
    let request: SHA256Digest

    init(_ request: SilentRequest, clientID: String, refreshToken: Secret) {
        let token = SHA256Digest(of: refreshToken.exposedBytes).bytes
        let scopes = request.scopes.names.map(\.asciiLowercased).sorted().joined(separator: " ")
        let parts = [clientID, request.authority.url, scopes]
        server = Self.digest(parts, token)
        self.request = Self.digest(
            parts + [request.account.identifier.asciiLowercased, request.claims?.json ?? ""], token)
    }

    /// Each part with its length in front, so that no two lists of parts meet.
    private static func digest(_ parts: [String], _ token: [UInt8]) -> SHA256Digest {
        SHA256Digest(of: parts.flatMap { Array("\($0.utf8.count):\($0)".utf8) } + token)
    }
}
