internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardText

/// When a token response's access token ends, in all the forms that issuers have.
struct TokenLifetime: Sendable, Hashable {
    let expiresOn: UnixTime
    let extendedExpiresOn: UnixTime?
    let refreshOn: UnixTime?

    /// Seconds that a token lives when its issuer does not say.
    private static let standard: Int64 = 3600

    /// No token holds longer than dates can say: programs that write one would fail at it.
    private static let latest = UnixTime(secondsSince1970: ISODate.sayable.upperBound)

    /// The lifetime, in seconds, of a token without an expiry and without a refresh token.
    private static let endless: Int64 = 365 * 24 * 3600

    /// A point in time goes before a number of seconds; both may be numbers in strings.
    /// - Parameter isEndless: whether the token counts for long if the issuer does not say when it ends.
    init(_ members: JSONObject, now: UnixTime, isEndless: Bool = false) {
        func point(_ absolute: String, _ relative: String) -> UnixTime? {
            let point = Self.number(members[absolute]).map { UnixTime(secondsSince1970: $0) }
            return (point ?? Self.number(members[relative]).map { now.advanced(bySeconds: $0) }).map {
                min($0, Self.latest)
            }
        }
        expiresOn =
            point("expires_on", "expires_in") ?? now.advanced(bySeconds: isEndless ? Self.endless : Self.standard)
        extendedExpiresOn = point("ext_expires_on", "ext_expires_in")
        refreshOn = point("refresh_on", "refresh_in")
    }

    private static func number(_ value: JSONValue?) -> Int64? {
        guard let number = value?.integer ?? value?.string.flatMap({ Int64($0) }), number >= 0 else { return nil }
        return number
    }
}

/// How good an access token is at a moment.
enum TokenFreshness: Sendable, Hashable {
    case good
    /// Good, but its issuer would like it to be renewed by now.
    case dueForRenewal
    case expired
}

extension UnixTime {
    /// Whether a token that ends at this time counts as expired.
    /// - Parameter buffer: in seconds; one that ends sooner counts as expired.
    func countsAsExpired(at now: UnixTime, buffer: Int64) -> Bool { advanced(bySeconds: -buffer) < now }
}

extension CachedAccessToken {
    /// - Parameter buffer: as for ``UnixTime/countsAsExpired(at:buffer:)``.
    func freshness(at now: UnixTime, buffer: Int64) -> TokenFreshness {
        // A token from the future was cached before the clock was set back, so its remaining life is unknown.
        guard cachedAt <= now, !expiresOn.countsAsExpired(at: now, buffer: buffer) else { return .expired }
        if let refreshOn, refreshOn <= now { return .dueForRenewal }
        return .good
    }

    /// Whether it may serve for a while although it has expired, because its issuer allows that when it is down.
    func isExtended(at now: UnixTime) -> Bool {
        extendedExpiresOn.map { $0 > now } ?? false
    }

    /// Whether the token is of no further use.
    func isUseless(at now: UnixTime) -> Bool {
        max(expiresOn, extendedExpiresOn ?? expiresOn) < now
    }
}
