/// Why a text is no authority. The message says what is wrong and how it would be right.
public struct AuthorityError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Kind: String, Sendable, CaseIterable {
        /// No URL that has one reading only.
        case malformed
        /// Not https, and not http on loopback where that was allowed.
        case insecure = "not_https"
        /// A query, which would end up in the middle of other addresses.
        case hasQuery = "has_query"
        /// No tenant behind the host.
        case missingTenant = "missing_tenant"
        /// No policy behind the tenant.
        case missingPolicy = "missing_policy"
        /// A name that cannot be a tenant or a policy.
        case invalidName = "invalid_name"
        /// Meant for Microsoft Entra, and its host is none of theirs.
        case unknownCloud = "unknown_cloud"
    }

    /// For programs.
    public let kind: Kind
    /// What was refused, as it was given.
    public let text: String
    let reason: String

    init(_ kind: Kind, _ text: String, _ reason: String = "") {
        self.kind = kind
        self.text = text
        self.reason = reason
    }

    /// What is wrong.
    public var message: String { "authority \"\(text)\" \(words)" }

    private var words: String {
        switch kind {
        case .malformed: reason
        case .insecure: "is not https"
        case .hasQuery: "has a query"
        case .missingTenant: "names no tenant"
        case .missingPolicy: "names no policy"
        case .invalidName: "has a tenant or policy with a character that none may have"
        case .unknownCloud: "has a host that is no cloud of Microsoft Entra"
        }
    }

    /// What would be right.
    public var remedy: String {
        switch kind {
        case .malformed: "write it in full, for example https://login.microsoftonline.com/common"
        case .insecure: "use https; plain http is for development on loopback, where allowingLoopbackHTTP says so"
        case .hasQuery: "leave out the ? and what follows"
        case .missingTenant: "put the tenant behind the host: its GUID, its domain, common, organizations or consumers"
        case .missingPolicy: "put the policy behind the tenant, for example /tfp/contoso.onmicrosoft.com/B2C_1_signin"
        case .invalidName: "use letters, digits, dots, hyphens and underscores"
        case .unknownCloud: "check the spelling, or use oidc(issuer:), adfs(_:) or b2c(…) for a host of your own"
        }
    }

    public var description: String { "\(message): \(remedy)" }
}
