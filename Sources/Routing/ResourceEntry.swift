internal import SwitchyardCrypto
public import SwitchyardOAuth

/// An entry of `resources: allow`: the resources to which people may sign in, and what the operator knows of them.
public struct ResourceEntry: Hashable, Sendable {
    /// A client that was registered by hand. Only its issuer may sign people in to these resources.
    public struct Client: Hashable, Sendable {
        public let id: String
        public let authentication: ClientAuthentication
        public let issuer: String
        /// Its private keys.
        public let keys: ClientKeys

        public init(id: String, authentication: ClientAuthentication, issuer: String, keys: ClientKeys = .none) {
            self.id = id
            self.authentication = authentication
            self.issuer = issuer
            self.keys = keys
        }
    }

    /// The resource, and with it all that lie below; nil for every https resource, at an agent.
    public let url: ResourceURL?
    /// nil for a client document of ours, or a registration.
    public let client: Client?
    /// The address of the resource's metadata, if they are not at its own origin.
    public let metadata: EndpointURL?
    /// Whether requests have `resource`.
    public let sendsResource: Bool
    /// Path of a PEM file with more trust anchors.
    public let trustAnchor: String?
    /// The hosts that the entry names, in lower case: they may be private or loopback.
    public let namedHosts: Set<String>
    /// The address of a client document that a gateway serves for this agent; nil without one, and at a gateway.
    public let document: String?
    /// Whether all resources of the entry have its one redirect URI: at an agent, where each registration has its own port, and with
    /// a client that somebody registered by hand for one redirect URI.
    public let sharesRedirectURI: Bool

    public init(
        url: ResourceURL?, client: Client?, metadata: EndpointURL?, sendsResource: Bool, trustAnchor: String?,
        namedHosts: Set<String>, document: String? = nil, sharesRedirectURI: Bool = false
    ) {
        self.document = document
        self.sharesRedirectURI = sharesRedirectURI || client != nil
        self.url = url
        self.client = client
        self.metadata = metadata
        self.sendsResource = sendsResource
        self.trustAnchor = trustAnchor
        self.namedHosts = namedHosts
    }

    /// The segment for a URL in redirect URIs and in the addresses of client documents: letters and digits. It follows from the
    /// URL, so all gateways have the same.
    public static func segment(of url: ResourceURL) -> String {
        let path = url.path.hasSuffix("/") ? String(url.path.dropLast()) : url.path
        let digest = SHA256Digest(of: "\(url.origin)\(path)?\(url.url.query ?? "")")
        return String(Base64URL.encode(Array(digest.bytes.prefix(12))).map { $0 == "_" || $0 == "-" ? "x" : $0 })
    }

    /// The beginning of the ids of resources; no app's id may begin so.
    public static let idPrefix = "resource."

    /// Whether tokens for `resource` may be tokens for what the entry names: one of the two covers the other.
    public func isRelated(to resource: ResourceURL) -> Bool {
        url.map { $0.covers(resource) || resource.covers($0) } ?? false
    }
}
