/// The scopes of a sign-in to a resource (MCP 2026-07-28, "Scope Selection Strategy" and "Step-Up Authorization Flow").
public enum ResourceScopes {
    private static let offline = "offline_access"
    /// The longest list of a sign-in. Browsers and issuers take addresses of some 8 KiB.
    public static let maximumBytes = 4096

    /// The scopes of a client that registers itself: those of its sign-in, and each further list that still fits.
    public static func registered(_ asked: Scopes, _ further: Scopes?...) -> Scopes {
        further.reduce(asked) { all, more in
            let union = Scopes(parsing: "\(all.text) \(more?.text ?? "")")
            return union.text.utf8.count <= maximumBytes ? union : all
        }
    }

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
