internal import SwitchyardOAuth
internal import SwitchyardText

/// The rules for the scopes that an app may request, and those that are added for it.
enum ScopeRules {
    /// - Throws: `invalidParameter` for a reserved scope (in any case), a malformed name and an empty list. Also for
    ///   the client ID, if the issuer is one of Microsoft's directories.
    static func checked(
        _ names: [String], _ settings: ClientSettings, _ authority: Authority, mayBeEmpty: Bool = false
    ) throws(AuthenticationError) -> Scopes {
        for name in names {
            guard !name.isEmpty, !name.contains(" "), Scopes(validating: name) != nil else {
                throw refusal("\"\(name)\" is no scope: RFC 6749 allows printable ASCII without spaces, quotes and \\")
            }
            if settings.automaticScopes.contains(name) {
                throw refusal("\(name) is a reserved scope; it is always asked for")
            }
            if authority.isEntra, name.asciiLowercased == settings.clientID.asciiLowercased {
                throw refusal("the client ID is no scope here; ask for a scope of the API")
            }
        }
        guard mayBeEmpty || !names.isEmpty else { throw refusal("scopes are missing") }
        return Scopes(parsing: names.joined(separator: " "))
    }

    /// Resource scopes first, then the reserved ones, then those that are only consented to.
    static func sent(
        _ scopes: Scopes, _ settings: ClientSettings, consentingTo more: Scopes = Scopes(parsing: "")
    ) -> Scopes {
        Scopes(parsing: [scopes.text, settings.automaticScopes.text, more.text].joined(separator: " "))
    }

    private static func refusal(_ message: String) -> AuthenticationError {
        AuthenticationError(.invalidParameter, .invalidParameter, message)
    }
}
