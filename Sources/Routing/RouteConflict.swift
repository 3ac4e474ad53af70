public import SwitchyardOAuth

/// Two registrations that cannot stand beside each other.
public enum RouteConflict: Hashable, Sendable, CustomStringConvertible {
    case duplicateApp(AppID)
    /// One redirect URI of two apps, or two that differ only by what matching ignores.
    case sharedRedirectURI(first: RedirectURI, firstApp: AppID, second: RedirectURI, secondApp: AppID)
    /// An app lists one redirect URI twice, or two that differ only by what matching ignores.
    case repeatedRedirectURI(first: RedirectURI, second: RedirectURI, app: AppID)

    public var description: String {
        switch self {
        case .duplicateApp(let id): "there are two apps with the id \"\(id)\""
        case .sharedRedirectURI(let first, let firstApp, let second, let secondApp):
            "\"\(second)\" of \(secondApp) cannot be told apart from \"\(first)\" of \(firstApp)"
        case .repeatedRedirectURI(let first, let second, let app):
            "\"\(second)\" of \(app) cannot be told apart from its own \"\(first)\""
        }
    }
}

/// Everything that keeps apps from standing in one route table.
public struct RouteConflicts: Error, Hashable, Sendable, CustomStringConvertible {
    /// Never empty; in the order of the apps.
    public let conflicts: [RouteConflict]

    public var description: String { conflicts.map(\.description).joined(separator: "\n") }
}
