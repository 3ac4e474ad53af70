/// The scopes of a sign-in to a resource (MCP 2026-07-28, "Scope Selection Strategy" and "Step-Up Authorization Flow").
public enum ResourceScopes {
    private static let offline = "offline_access"

    /// - Parameters:
    ///   - asked: by the caller; nil where it names none.
    ///   - previous: those that were asked for before, for a step-up.
    public static func chosen(
        asked: Scopes?, previous: Scopes?, challenge: BearerChallenge?, _ resource: ProtectedResourceMetadata,
        _ server: AuthorizationServerMetadata
    ) -> Scopes {
        let wanted = asked ?? challenge?.scope ?? resource.scopesSupported ?? Scopes(parsing: "")
        var names = (previous?.names ?? []) + wanted.names
        let isAlone = !names.isEmpty && names.allSatisfy { $0 == offline }
        names.removeAll { $0 == offline }
        guard !names.isEmpty || isAlone else { return Scopes(parsing: "") }
        if server.scopesSupported?.contains(offline) == true { names.append(offline) }
        return Scopes(parsing: names.joined(separator: " "))
    }
}
