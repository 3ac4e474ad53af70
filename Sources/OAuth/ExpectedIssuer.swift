internal import SwitchyardText

/// Which `iss` an ID token must have.
public enum ExpectedIssuer: Hashable, Sendable {
    /// The issuer identifier, byte for byte.
    case exactly(String)
    /// Microsoft Entra's issuer for many tenants: `{tenantid}` in the template means the token's `tid`, which `tenants`
    /// must let in.
    case tenantTemplate(String, tenants: TenantRule)

    /// The placeholder of the tenant in a template.
    static let tenantPlaceholder = "{tenantid}"

    /// Whether `issuer`, as an authorization response names it (RFC 9207), is the expected one. A template takes any of
    /// its tenants; which of them it was, the ID token says.
    func accepts(_ issuer: String) -> Bool {
        switch self {
        case .exactly(let expected): issuer.isExactly(expected)
        case .tenantTemplate(let template, let tenants):
            Self.tenant(in: issuer, template).map(tenants.accepts) ?? false
        }
    }

    /// The part of `issuer` at the template's placeholder; nil when the rest differs.
    private static func tenant(in issuer: String, _ template: String) -> String? {
        guard let (before, after) = split(template), issuer.utf8.count > before.utf8.count + after.utf8.count,
            let tenant = String(issuer.utf8.dropFirst(before.utf8.count).dropLast(after.utf8.count)),
            issuer.isExactly(before + tenant + after)
        else { return nil }
        return tenant.contains("/") ? nil : tenant
    }

    /// Puts `tenant` in the place of the placeholder; nil when `template` does not hold it exactly once.
    static func fill(_ template: String, with tenant: String) -> String? {
        guard let split = split(template) else { return nil }
        return split.before + tenant + split.after
    }

    /// The parts before and after the placeholder; nil when `template` does not hold it exactly once.
    static func split(_ template: String) -> (before: String, after: String)? {
        let pieces = template.split(separator: tenantPlaceholder, omittingEmptySubsequences: false)
        guard pieces.count == 2 else { return nil }
        return (String(pieces[0]), String(pieces[1]))
    }
}

/// The decision of RFC 9207 section 2.4, made only here: `iss` of an authorization response must be right if it is
/// present, and must be present if the issuer says that it sends it.
public struct IssuerIdentification: Hashable, Sendable {
    public let expected: ExpectedIssuer
    /// Whether every response must name its issuer.
    public let isRequired: Bool

    public init(expected: ExpectedIssuer, isRequired: Bool) {
        self.expected = expected
        self.isRequired = isRequired
    }

    /// - Parameter named: the issuer in the response; nil if absent.
    public func check(_ named: String?) throws(AuthorizationResponseError) {
        guard let named else {
            if isRequired { throw .missingIssuer }
            return
        }
        guard expected.accepts(named) else { throw .wrongIssuer }
    }
}

/// The tenants with users that may sign in, if an issuer stands for many. Tenants are GUIDs, so they are compared in
/// any case.
public enum TenantRule: Hashable, Sendable, ExpressibleByArrayLiteral {
    case only([String])
    case any
    case anyBut([String])

    public init(arrayLiteral elements: String...) {
        self = .only(elements)
    }

    func accepts(_ tenant: String) -> Bool {
        switch self {
        case .only(let tenants): Self.contains(tenants, tenant)
        case .any: true
        case .anyBut(let tenants): !Self.contains(tenants, tenant)
        }
    }

    private static func contains(_ tenants: [String], _ tenant: String) -> Bool {
        tenants.contains { ASCII.equalIgnoringCase($0, tenant) }
    }
}
