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
    /// - Parameters:
    ///   - binding: the key that the token is bound to; nil for a bearer token.
    ///   - authentication: the client's. The token may be bound to its certificate.
    /// - Returns: nil for an issuer without such an endpoint.
    /// - Throws: ``SignInFailure`` when the endpoint does not say it.
    public func identity(
        by accessToken: Secret, at issuer: Issuer, proving binding: TokenBinding? = nil,
        _ authentication: ClientAuthentication = .none
    ) async throws(SignInFailure) -> AccountIdentity? {
        guard let account = issuer.settings.profile.account else { return nil }
        return try await use(
            accessToken, at: account.url, of: issuer, for: .account, accepting: "application/json", proving: binding,
            authentication
        ) { answer throws(SignInFailure) in try account.identity(in: answer.object(of: .account)) }
    }

    /// Calls an endpoint of an issuer with an access token, and reads its answer.
    func use<Value>(
        _ accessToken: Secret, at endpoint: EndpointURL, of issuer: Issuer, for call: IssuerCall,
        accepting types: String, proving binding: TokenBinding?, _ authentication: ClientAuthentication,
        reading read: (IssuerAnswer) throws(SignInFailure) -> Value
    ) async throws(SignInFailure) -> Value {
        let scheme = binding == nil ? "Bearer" : "DPoP"
        let headers = [("Accept", types), ("Authorization", "\(scheme) \(accessToken.exposedText)")]
        var request = OutgoingRequest(.get, endpoint.text, headers: headers, issuer.settings)
        // The access token may be bound to the certificate.
        request.clientCertificate = authentication.certificate
        return try await send(
            to: issuer, for: call, proving: Proving(binding, at: endpoint, of: issuer, with: accessToken),
            making: { [request] in request }, reading: read)
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
