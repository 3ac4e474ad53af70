internal import SwitchyardJSON
internal import SwitchyardOAuth

/// The rules of the protocol that an issuer breaks. An app accepts each one by name; by default none.
///
/// PKCE is not among them: without it, every reader of a code can use it at a public client.
public struct IssuerDeviations: Sendable, Hashable {
    /// The issuer's ID tokens carry no nonce.
    public var omitsNonce = false
    /// The issuer knows OAuth 2.0 only. Set ``PublicClientApplicationConfiguration/accountEndpoint`` too.
    public var hasNoIDTokens = false
    /// The only algorithms that ID tokens may be signed with, such as `ES256`; empty for all with a public key.
    public var idTokenAlgorithms: [String] = []
    /// Token requests are JSON instead of a form.
    public var sendsJSONTokenRequests = false
    /// Form-encoded answers of the token endpoint are read too.
    public var readsFormTokenResponses = false
    /// The token's type is passed on as it came, also where it is not Bearer.
    public var acceptsAnyTokenType = false
    /// A JSON pointer to the object that has `access_token`, such as `/authed_user`.
    public var tokenPath: String?
    /// The character between two scopes.
    public var scopeSeparator: Character = " "
    /// The address for refresh tokens, where it is not the token endpoint.
    public var refreshEndpoint: String?
    /// Other names of parameters: `["client_id": "client_key"]`. That of `code` counts in the callback.
    public var parameterNames: [String: String] = [:]

    /// None.
    public init() {}
}

/// The address where an issuer without ID tokens names the account. The library asks it with the access token.
public struct AccountEndpointConfiguration: Sendable, Hashable {
    /// An https URL.
    public var url: String
    /// A JSON pointer to the value that no other account of the issuer ever has.
    public var id: String
    /// A JSON pointer to the name that people know the account by; nil for the id.
    public var name: String?

    /// - Parameters:
    ///   - url: an https URL.
    ///   - id: a JSON pointer, such as `/id`.
    ///   - name: a JSON pointer, such as `/login`.
    public init(url: String, id: String, name: String? = nil) {
        self.url = url
        self.id = id
        self.name = name
    }
}

extension IssuerProfile {
    /// - Throws: `invalidConfiguration`, naming the property.
    init(_ configuration: PublicClientApplicationConfiguration) throws(AuthenticationError) {
        let loopback = configuration.allowsLoopbackHTTP
        self.init(
            deviations: try configuration.deviations.checked(allowsLoopbackHTTP: loopback),
            authorizationParameters: try Self.fields(configuration.authorizationParameters, .authorization),
            tokenParameters: try Self.fields(configuration.tokenParameters, .token),
            account: try configuration.accountEndpoint?.checked(allowsLoopbackHTTP: loopback))
    }

    private static func fields(
        _ parameters: [String: String], _ target: ParameterTarget
    ) throws(AuthenticationError) -> [FormField] {
        for name in parameters.keys where name.isEmpty || target.isForbiddenDefault(name) || !target.isPlain(name) {
            throw .invalid("\(target.rawValue)Parameters: \"\(name)\" cannot be set")
        }
        return parameters.sorted { $0.key < $1.key }.map { FormField($0.key, $0.value) }
    }
}

extension IssuerDeviations {
    fileprivate func checked(allowsLoopbackHTTP: Bool) throws(AuthenticationError) -> Deviations {
        var deviations = Deviations()
        deviations.omitsNonce = omitsNonce
        deviations.hasNoIDTokens = hasNoIDTokens
        deviations.sendsJSONTokenRequests = sendsJSONTokenRequests
        deviations.readsFormTokenResponses = readsFormTokenResponses
        deviations.acceptsAnyTokenType = acceptsAnyTokenType
        deviations.scopeSeparator = scopeSeparator
        if !idTokenAlgorithms.isEmpty {
            var algorithms: [IDTokenAlgorithm] = []
            for name in idTokenAlgorithms {
                guard let algorithm = IDTokenAlgorithm(name: name), algorithm != .hs256 else {
                    throw .invalid("idTokenAlgorithms: \"\(name)\" is no algorithm with a public key")
                }
                algorithms.append(algorithm)
            }
            deviations.idTokenAlgorithms = algorithms
        }
        if let tokenPath { deviations.tokenPath = try .checked(tokenPath, "tokenPath") }
        if let refreshEndpoint {
            deviations.refreshEndpoint = try .checked(refreshEndpoint, allowsLoopbackHTTP, "refreshEndpoint")
        }
        for (parameter, name) in parameterNames {
            guard ParameterNames.renamable.contains(parameter), !name.isEmpty, !ParameterNames.reserved.contains(name)
            else { throw .invalid("parameterNames: \"\(parameter)\" cannot be called \"\(name)\"") }
            for message in ParameterNames.messages(of: parameter) {
                deviations.parameterNames.rename(parameter, to: name, in: message)
            }
        }
        return deviations
    }
}

extension AccountEndpointConfiguration {
    fileprivate func checked(allowsLoopbackHTTP: Bool) throws(AuthenticationError) -> AccountEndpoint {
        AccountEndpoint(
            url: try .checked(url, allowsLoopbackHTTP, "accountEndpoint.url"),
            id: try .checked(id, "accountEndpoint.id"),
            name: try name.map { (name) throws(AuthenticationError) in try .checked(name, "accountEndpoint.name") })
    }
}

extension EndpointURL {
    fileprivate static func checked(
        _ text: String, _ allowsLoopbackHTTP: Bool, _ property: String
    ) throws(AuthenticationError) -> EndpointURL {
        do throws(EndpointURLError) {
            return try EndpointURL(text, allowingLoopbackHTTP: allowsLoopbackHTTP)
        } catch {
            throw .invalid("\(property): \"\(text)\" \(error)")
        }
    }
}

extension JSONPointer {
    fileprivate static func checked(_ text: String, _ property: String) throws(AuthenticationError) -> JSONPointer {
        guard !text.isEmpty, let pointer = JSONPointer(text) else {
            throw .invalid("\(property): \"\(text)\" is no JSON pointer, such as /data")
        }
        return pointer
    }
}

extension AuthenticationError {
    fileprivate static func invalid(_ message: String) -> AuthenticationError {
        AuthenticationError(.invalidConfiguration, .invalidParameter, message)
    }
}
