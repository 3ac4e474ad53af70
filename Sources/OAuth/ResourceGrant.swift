public import SwitchyardCrypto
internal import SwitchyardJSON

/// The findings of a sign-in to a resource: the resource, its authorization server, and the client there. They are the
/// sign-in's own from its beginning to its end: a code and a client's credentials go to no other server, also if the
/// resource's metadata change.
public struct ResourceGrant: Hashable, Sendable {
    /// The value of `resource` in every request; as the resource's metadata name it.
    public let resource: String
    /// The URL that was asked for: that resource, or one below it.
    public let asked: String
    /// Whether requests have `resource`.
    public let sendsResource: Bool
    public let metadata: IssuerMetadata
    public let clientID: String
    /// Without its key, if that is ``keyMethod`` and this was read from ``sealable``.
    public let authentication: ClientAuthentication
    /// The name of the client authentication by a key or a certificate. The configuration alone has them, so a sealed
    /// grant does not repeat them. nil for a client without one.
    public let keyMethod: String?
    /// Whether the resource takes only tokens that are bound to a key (RFC 9728, `dpop_bound_access_tokens_required`).
    public let bindsTokens: Bool

    public init(
        resource: String, asked: String? = nil, sendsResource: Bool, metadata: IssuerMetadata, clientID: String,
        authentication: ClientAuthentication, bindsTokens: Bool = false, keyMethod: String? = nil
    ) {
        self.resource = resource
        self.asked = asked ?? resource
        self.sendsResource = sendsResource
        self.metadata = metadata
        self.clientID = clientID
        self.authentication = authentication
        self.bindsTokens = bindsTokens
        self.keyMethod = authentication.hasKey ? authentication.name : keyMethod
    }

    /// The host of the resource, for people; nil for a text that is no resource's.
    public var host: String? { (try? ResourceURL(resource, allowingLoopbackHTTP: true))?.host }

    /// The digest that distinguishes grants by issuer and resource.
    public var digest: SHA256Digest {
        SHA256Digest(
            of: [
                resource, sendsResource ? "" : "-", metadata.issuer, metadata.authorizationEndpoint.text,
                metadata.tokenEndpoint.text, metadata.jwksURI?.text ?? "",
                metadata.authorizationResponseIssParameterSupported ? "iss" : "",
                metadata.pushedRequestEndpoint?.text ?? "", metadata.requiresPushedRequests ? "par" : "",
                metadata.mutualTLSAliases.json.map { String(decoding: JSONValue.object($0).serialized, as: UTF8.self) }
                    ?? "",
                metadata.clientSigningAlgorithms.joined(separator: " "),
            ].joined(separator: "\n"))
    }

    /// The parameters that each request to the issuer gets.
    public var profile: IssuerProfile {
        IssuerProfile(authorizationParameters: sendsResource ? [FormField("resource", resource)] : [])
    }
}

extension ResourceGrant {
    /// As text, to be sealed: it may hold the client's secret.
    public var sealable: Secret {
        var object: JSONObject = [
            "resource": .string(resource), "asked": .string(asked), "sends": .bool(sendsResource),
            "client_id": .string(clientID),
            "method": .string(keyMethod ?? authentication.name), "issuer": .string(metadata.issuer),
            "authorization_endpoint": .string(metadata.authorizationEndpoint.text),
            "token_endpoint": .string(metadata.tokenEndpoint.text),
            "authorization_response_iss_parameter_supported": .bool(
                metadata.authorizationResponseIssParameterSupported),
        ]
        object["secret"] = authentication.secret.map { .string($0.exposedText) }
        object["jwks_uri"] = metadata.jwksURI.map { .string($0.text) }
        object["revocation_endpoint"] = metadata.revocationEndpoint.map { .string($0.text) }
        object["pushed_authorization_request_endpoint"] = metadata.pushedRequestEndpoint.map { .string($0.text) }
        if metadata.requiresPushedRequests { object["require_pushed_authorization_requests"] = true }
        object["mtls_endpoint_aliases"] = metadata.mutualTLSAliases.json.map { .object($0) }
        if !metadata.clientSigningAlgorithms.isEmpty {
            object["token_endpoint_auth_signing_alg_values_supported"] = .array(
                metadata.clientSigningAlgorithms.map { .string($0) })
        }
        if bindsTokens { object["binds"] = true }
        return Secret(String(decoding: JSONValue.object(object).serialized, as: UTF8.self))
    }

    /// Reads ``sealable``; nil for anything else.
    public init?(_ sealed: Secret) {
        guard let object = (try? JSONValue.parse(sealed.exposedBytes))?.object, let issuer = object["issuer"]?.string,
            // The addresses were judged when they were found.
            let metadata = try? IssuerMetadata.parse(object, expectedIssuer: issuer, allowingLoopbackHTTP: true),
            let resource = object["resource"]?.string, let clientID = object["client_id"]?.string
        else { return nil }
        let secret = object["secret"]?.string.map { Secret($0) }
        let authentication: ClientAuthentication
        var keyMethod: String?
        switch (object["method"]?.string, secret) {
        case ("client_secret_basic", let secret?): authentication = .clientSecretBasic(secret)
        case ("client_secret_post", let secret?): authentication = .clientSecretPost(secret)
        case ("none", nil): authentication = .none
        case ("private_key_jwt", nil), ("tls_client_auth", nil), ("self_signed_tls_client_auth", nil):
            (authentication, keyMethod) = (.none, object["method"]?.string)
        default: return nil
        }
        self.init(
            resource: resource, asked: object["asked"]?.string, sendsResource: object["sends"]?.bool ?? true,
            metadata: metadata, clientID: clientID,
            authentication: authentication, bindsTokens: object["binds"]?.bool ?? false, keyMethod: keyMethod)
    }
}
