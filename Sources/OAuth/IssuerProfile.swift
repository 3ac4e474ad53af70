public import SwitchyardJSON

/// The part of an issuer's configuration that changes requests and answers: its deviations, the parameters of each
/// request, and the address that names a token's account.
public struct IssuerProfile: Hashable, Sendable {
    /// An issuer that keeps the protocol.
    public static let strict = IssuerProfile()

    public var deviations: Deviations
    /// Sent with each authorization request. The app's own and the protocol's win.
    public var authorizationParameters: [FormField]
    /// Sent with each token request, refreshes too. The app's own and the protocol's win.
    public var tokenParameters: [FormField]
    /// nil if ID tokens name the account.
    public var account: AccountEndpoint?

    public init(
        deviations: Deviations = .none, authorizationParameters: [FormField] = [], tokenParameters: [FormField] = [],
        account: AccountEndpoint? = nil
    ) {
        self.deviations = deviations
        self.authorizationParameters = authorizationParameters
        self.tokenParameters = tokenParameters
        self.account = account
    }

    /// The parameters of each token request: ``tokenParameters``, and the `resource` of the authorization request,
    /// which belongs into both (RFC 8707 section 2.2).
    public var tokenDefaults: [FormField] {
        guard !tokenParameters.contains(where: { $0.name == "resource" }) else { return tokenParameters }
        return tokenParameters + authorizationParameters.filter { $0.name == "resource" }
    }

    /// The origin of the endpoint that takes refresh tokens.
    public func refreshOrigin(_ metadata: IssuerMetadata) -> String {
        (deviations.refreshEndpoint ?? metadata.tokenEndpoint).origin
    }
}

/// The address of a provider that names the account, for an issuer without ID tokens. It is asked with the access
/// token.
public struct AccountEndpoint: Hashable, Sendable {
    public let url: EndpointURL
    /// The value that no other account of the provider has, now or later: text or a whole number.
    public let id: JSONPointer
    /// The name that people know the account by; nil for its id.
    public let name: JSONPointer?

    public init(url: EndpointURL, id: JSONPointer, name: JSONPointer?) {
        self.url = url
        self.id = id
        self.name = name
    }
}
