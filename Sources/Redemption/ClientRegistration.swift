internal import SwitchyardCrypto
public import SwitchyardHTTPClient
internal import SwitchyardJSON
public import SwitchyardOAuth

/// A client that registered itself (RFC 7591), at one issuer and for one redirect URI.
public struct ClientRegistration: Hashable, Sendable {
    public let clientID: String
    public let authentication: ClientAuthentication
    /// The scopes that it was registered with.
    public let scope: Scopes
    /// As it was registered.
    public let redirectURI: String
    /// The end of its secret (`client_secret_expires_at`), in seconds since 1970; nil for one without an end.
    public let expiresAt: Int64?

    public init(
        clientID: String, authentication: ClientAuthentication, scope: Scopes, redirectURI: String,
        expiresAt: Int64? = nil
    ) {
        self.expiresAt = expiresAt
        self.clientID = clientID
        self.authentication = authentication
        self.scope = scope
        self.redirectURI = redirectURI
    }

    /// Whether a sign-in may ask for all of `scopes`.
    public func covers(_ scopes: Scopes) -> Bool { scopes.names.allSatisfy(scope.contains) }

    /// Whether its secret ends before a sign-in that begins now.
    public func isExpired(at now: Int64) -> Bool { expiresAt.map { $0 < now + Self.signIn } ?? false }

    /// How long a sign-in may take, in seconds.
    private static let signIn: Int64 = 600
    /// The longest client ID and the longest secret that are taken, in bytes.
    static let maximumLength = 4096
}

extension Redeemer {
    /// Registers a client (RFC 7591 section 3). Only from a task of the redeemer's loop.
    /// - Parameters:
    ///   - name: for the people that see the issuer's consent page.
    ///   - scope: all that may be asked for.
    public func register(
        _ name: String, redirectURI: RedirectURI, scope: Scopes, at server: AuthorizationServerMetadata,
        _ rules: GivenAddressRules
    ) async throws(ResourceRefusal) -> ClientRegistration {
        let issuer = server.issuer.issuer
        guard let endpoint = server.registrationEndpoint else {
            throw .clientRequired(
                "\(issuer) takes neither client documents nor registrations: register a client there by hand, and name it as "
                    + "client: of the entry")
        }
        // The order of the contract: the less a client has to keep secret, the better.
        let method =
            ["none", "client_secret_post", "client_secret_basic"].first(where: server.authenticationMethods.contains)
        guard let method else {
            throw .clientRequired("\(issuer) offers no client authentication that a registered client could use")
        }
        let answer: IncomingResponse
        do throws(TransferError) {
            answer = try await client.send(
                rules.request(
                    .post, endpoint.text,
                    headers: [("Accept", "application/json"), ("Content-Type", "application/json")],
                    body: JSONValue.object(Self.metadata(name, redirectURI, scope, method)).serialized))
        } catch {
            throw .discoveryFailed(address: endpoint.text, status: nil)
        }
        guard [200, 201].contains(answer.status) else {
            guard (400...499).contains(answer.status), answer.status != 429 else {
                throw .discoveryFailed(address: endpoint.text, status: answer.status)
            }
            throw .clientRequired("\(issuer) does not register the client (status \(answer.status))")
        }
        guard let json = (try? JSONValue.parse(answer.body))?.object, let id = json["client_id"]?.string, !id.isEmpty,
            id.utf8.count <= ClientRegistration.maximumLength, id.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { throw .clientRequired("\(issuer) answers a registration without a client_id") }
        return ClientRegistration(
            clientID: id, authentication: try Self.authentication(json, asked: method, issuer), scope: scope,
            redirectURI: redirectURI.text,
            expiresAt: json["client_secret_expires_at"]?.integer.flatMap { $0 > 0 ? $0 : nil })
    }

    private static func metadata(
        _ name: String, _ redirectURI: RedirectURI, _ scope: Scopes, _ method: String
    ) -> JSONObject {
        let isWeb = if case .https = redirectURI.form { true } else { false }
        var metadata: JSONObject = [
            "client_name": .string(name), "redirect_uris": [.string(redirectURI.text)],
            "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"],
            "token_endpoint_auth_method": .string(method), "application_type": isWeb ? "web" : "native",
        ]
        if !scope.isEmpty { metadata["scope"] = .string(scope.text) }
        return metadata
    }

    /// The issuer may choose another method than the one that was asked for (RFC 7591 section 3.2.1).
    private static func authentication(
        _ json: JSONObject, asked: String, _ issuer: String
    ) throws(ResourceRefusal) -> ClientAuthentication {
        let method = json["token_endpoint_auth_method"]?.string ?? asked
        guard let authentication = ClientAuthentication(registered: method, secret: json["client_secret"]?.string)
        else {
            throw .clientRequired("\(issuer) registers a client with an authentication that is not its own offer")
        }
        return authentication
    }
}

extension ClientAuthentication {
    /// The authentication of a client that registered itself; nil where method and secret do not fit.
    public init?(registered method: String?, secret: String?) {
        let secret = secret.flatMap {
            $0.isEmpty || $0.utf8.count > ClientRegistration.maximumLength ? nil : Secret($0)
        }
        switch (method, secret) {
        case ("none", _): self = .none
        case ("client_secret_post", let secret?): self = .clientSecretPost(secret)
        case ("client_secret_basic", let secret?): self = .clientSecretBasic(secret)
        default: return nil
        }
    }
}
