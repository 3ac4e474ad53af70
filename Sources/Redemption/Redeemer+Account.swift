public import SwitchyardCrypto
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
public import SwitchyardOAuth
internal import SwitchyardText

/// The account that signed in, by the provider's own API. No signature vouches for it.
public struct AccountIdentity: Hashable, Sendable {
    public let id: String
    /// For people.
    public let name: String
}

extension Redeemer {
    /// Asks the issuer's account endpoint for the account of an access token. Only from a task of the redeemer's loop.
    /// - Returns: nil for an issuer without such an endpoint.
    /// - Throws: ``SignInFailure`` when the endpoint does not say it.
    public func identity(by accessToken: Secret, at issuer: Issuer) async throws(SignInFailure) -> AccountIdentity? {
        guard let account = issuer.settings.profile.account else { return nil }
        let request = OutgoingRequest(
            .get, account.url.text,
            headers: [("Accept", "application/json"), ("Authorization", "Bearer \(accessToken.exposedText)")],
            issuer.settings)
        return try await send(
            to: issuer, for: .account, making: { request },
            reading: { answer throws(SignInFailure) in try account.identity(in: answer.object(of: .account)) })
    }
}

extension AccountEndpoint {
    /// The most bytes of an id or a name.
    private static let maximumLength = 255

    fileprivate func identity(in answer: JSONObject) throws(SignInFailure) -> AccountIdentity {
        // The id is compared, shown by commands and written into files. A character that steers one of them cannot be
        // taken out of it as it is taken out of a name: two accounts could become one.
        guard let id = text(at: id, in: answer), id.utf8.count <= Self.maximumLength, IssuerText(id).text == id else {
            throw Self.missing("has no text or whole number at \(id)")
        }
        guard let name else { return AccountIdentity(id: id, name: id) }
        guard let shown = text(at: name, in: answer) else { throw Self.missing("has no text at \(name)") }
        return AccountIdentity(id: id, name: String(IssuerText(shown).text.prefix(Self.maximumLength)))
    }

    /// A text that is not empty, or a whole number as text.
    private func text(at pointer: JSONPointer, in answer: JSONObject) -> String? {
        let value = pointer.value(in: .object(answer))
        let text = value?.string ?? value?.integer.map { String($0) }
        return text.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func missing(_ words: String) -> SignInFailure {
        var failure = SignInFailure(
            .invalidResponse, description: IssuerText("the answer of the issuer's account url \(words)"))
        failure.obstacle = .named(.wrongAnswer)
        return failure
    }
}
