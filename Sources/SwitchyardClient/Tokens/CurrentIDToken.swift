internal import SwitchyardJSON

/// An ID token that still counts, for a receiver such as an API server of Kubernetes.
package struct CurrentIDToken: Sendable {
    package let text: String
    package let expiresOn: UnixTime

    /// In seconds: one that ends sooner is no use to a receiver.
    static let buffer: Int64 = 60
}

extension AuthenticationResult {
    /// nil without an ID token, and where it has ended or is about to.
    package var currentIDToken: CurrentIDToken? {
        guard let idToken, let expiry = account.claims.object["exp"]?.integer else { return nil }
        let expiresOn = UnixTime(secondsSince1970: expiry)
        guard !expiresOn.countsAsExpired(at: .now(), buffer: CurrentIDToken.buffer) else { return nil }
        return CurrentIDToken(text: idToken, expiresOn: expiresOn)
    }
}
