public import SwitchyardJSON

/// The facts about a protected resource from its metadata (RFC 9728 section 2).
public struct ProtectedResourceMetadata: Hashable, Sendable {
    /// The resource as its metadata names it: the value of `resource` in every request, byte for byte.
    public let resource: ResourceURL
    /// The issuer identifiers of its authorization servers, in its order; never empty.
    public let authorizationServers: [String]
    /// nil if the metadata do not say, or list more than a sign-in can ask for.
    public let scopesSupported: Scopes?
    /// Whether it takes access tokens only with a proof of possession (RFC 9449).
    public let requiresDPoP: Bool

    public init(
        resource: ResourceURL, authorizationServers: [String], scopesSupported: Scopes? = nil,
        requiresDPoP: Bool = false
    ) {
        self.resource = resource
        self.authorizationServers = authorizationServers
        self.scopesSupported = scopesSupported
        self.requiresDPoP = requiresDPoP
    }

    /// The most authorization servers that are looked at.
    private static let maximumServers = 16

    /// Reads a document that was fetched for the resource `asked`. It must name that resource or one above it: otherwise a
    /// server could have tokens made for another one (RFC 9728 section 3.3; the prefix by draft-mcguinness-oauth-rfc9728bis-01,
    /// read 2026-11-28, and as clients of MCP do it).
    public static func parse(
        _ json: JSONObject, for asked: ResourceURL, allowingLoopbackHTTP: Bool
    ) throws(ProtectedResourceMetadataError) -> ProtectedResourceMetadata {
        guard let text = json["resource"]?.string else { throw .missing(name: "resource") }
        let resource: ResourceURL
        do throws(ResourceURLError) {
            resource = try ResourceURL(text, allowingLoopbackHTTP: allowingLoopbackHTTP)
        } catch {
            throw .invalidResource(error)
        }
        guard resource.covers(asked) else { throw .otherResource }
        let servers = (json["authorization_servers"]?.array ?? []).prefix(maximumServers).compactMap(\.string)
        guard !servers.isEmpty else { throw .missing(name: "authorization_servers") }
        let scopes = json.scopes("scopes_supported")
        return ProtectedResourceMetadata(
            resource: resource, authorizationServers: servers,
            scopesSupported: scopes.flatMap { $0.text.utf8.count <= ResourceScopes.maximumBytes ? $0 : nil },
            requiresDPoP: json.demands("dpop_bound_access_tokens_required"))
    }
}

/// The reason why a document is no metadata of a resource.
public enum ProtectedResourceMetadataError: Error, Hashable, Sendable, CustomStringConvertible {
    case missing(name: String)
    case invalidResource(ResourceURLError)
    /// It is the document of another resource.
    case otherResource

    public var description: String {
        switch self {
        case .missing(let name): "the metadata of the resource lack \(name)"
        case .invalidResource(let error): "the resource in the metadata \(error)"
        case .otherResource: "the metadata are of another resource"
        }
    }
}

extension JSONObject {
    /// A list of scopes; nil without one. Texts that are no scopes are left out.
    func scopes(_ name: String) -> Scopes? {
        guard let values = self[name]?.array else { return nil }
        let names = values.compactMap(\.string).filter { !$0.contains(" ") && Scopes(validating: $0) != nil }
        return Scopes(parsing: names.joined(separator: " "))
    }
}
