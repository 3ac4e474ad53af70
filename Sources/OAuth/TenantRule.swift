internal import SwitchyardText

/// Whose users are let in where an issuer stands for many tenants. Tenants are GUIDs, so they are compared in any case.
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
