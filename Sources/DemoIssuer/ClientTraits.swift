internal import SwitchyardOAuth

/// What a test can make of a client while the issuer runs.
struct ClientTraits: Sendable {
    /// What the client may have without anybody having been asked.
    enum Preconsent: Sendable {
        case only(Scopes)
        case everything

        /// `*`, or scopes; nil when they are none.
        init?(_ text: String) {
            if text == "*" {
                self = .everything
            } else if let scopes = Scopes(validating: text) {
                self = .only(scopes)
            } else {
                return nil
            }
        }

        func contains(_ scope: String) -> Bool {
            switch self {
            case .only(let scopes): scopes.contains(scope)
            case .everything: true
            }
        }
    }

    /// The family that shares refresh tokens, told as `foci`; Microsoft's own apps are family `1`.
    var family: String?
    var preconsent = Preconsent.only(Scopes(parsing: ""))
}
