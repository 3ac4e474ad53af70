/// The reason why a text is no authority. The message names the mistake and its correction.
public struct AuthorityError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault. Later versions may add kinds.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// No URL that has one reading only.
        public static var malformed: Self { Self(name: .malformed) }
        /// The address is neither https nor an allowed http on loopback.
        public static var insecure: Self { Self(name: .insecure) }
        /// A query, which would end up in the middle of other addresses.
        public static var hasQuery: Self { Self(name: .hasQuery) }
        /// No tenant behind the host.
        public static var missingTenant: Self { Self(name: .missingTenant) }
        /// No policy behind the tenant.
        public static var missingPolicy: Self { Self(name: .missingPolicy) }
        /// A name that cannot be a tenant or a policy.
        public static var invalidName: Self { Self(name: .invalidName) }

        enum Name: String {
            case malformed
            case insecure = "not_https"
            case hasQuery = "has_query"
            case missingTenant = "missing_tenant"
            case missingPolicy = "missing_policy"
            case invalidName = "invalid_name"
        }

        let name: Name

        /// For logs.
        public var rawValue: String { name.rawValue }

        public var description: String { rawValue }
    }

    /// For programs.
    public let kind: Kind
    /// The refused text, as it was given.
    public let text: String
    let reason: String

    init(_ kind: Kind, _ text: String, _ reason: String = "") {
        self.kind = kind
        self.text = text
        self.reason = reason
    }

    /// The fault, in words.
    public var message: String { "authority \"\(text)\" \(words)" }

    private var words: String {
        switch kind.name {
        case .malformed: reason
        case .insecure: "is not https"
        case .hasQuery: "has a query"
        case .missingTenant: "names no tenant"
        case .missingPolicy: "names no policy"
        case .invalidName: "has a tenant or policy with a character that none may have"
        }
    }

    /// The way to mend it.
    public var remedy: String {
        switch kind.name {
        case .malformed: "write it in full, for example https://login.microsoftonline.com/common"
        case .insecure: "use https; plain http is for development on loopback, where allowingLoopbackHTTP says so"
        case .hasQuery: "leave out the ? and what follows"
        case .missingTenant: "put the tenant behind the host: its GUID, its domain, common, organizations or consumers"
        case .missingPolicy: "put the policy behind the tenant, for example /tfp/contoso.onmicrosoft.com/B2C_1_signin"
        case .invalidName: "use letters, digits, dots, hyphens and underscores"
        }
    }

    public var description: String { "\(message): \(remedy)" }
}
