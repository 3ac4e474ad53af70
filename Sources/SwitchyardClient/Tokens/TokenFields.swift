internal import SwitchyardJSON
internal import SwitchyardOAuth

/// When a token response's access token ends, in all the forms that issuers have.
struct TokenLifetime: Sendable, Hashable {
    let expiresOn: Timestamp
    let extendedExpiresOn: Timestamp?
    let refreshOn: Timestamp?

    /// Seconds that a token lives when its issuer does not say.
    private static let standard: Int64 = 3600

    /// A point in time goes before a number of seconds; both may be numbers in strings.
    init(_ members: JSONObject, now: Timestamp) {
        func point(_ absolute: String, _ relative: String) -> Timestamp? {
            if let seconds = Self.number(members[absolute]) { return Timestamp(secondsSince1970: seconds) }
            return Self.number(members[relative]).map { now.advanced(bySeconds: $0) }
        }
        expiresOn = point("expires_on", "expires_in") ?? now.advanced(bySeconds: Self.standard)
        extendedExpiresOn = point("ext_expires_on", "ext_expires_in")
        refreshOn = point("refresh_on", "refresh_in")
    }

    private static func number(_ value: JSONValue?) -> Int64? {
        guard let number = value?.integer ?? value?.string.flatMap({ Int64($0) }), number >= 0 else { return nil }
        return number
    }
}
