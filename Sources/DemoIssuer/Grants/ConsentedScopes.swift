internal import SwitchyardOAuth

/// What a token request may ask for: whatever the person has allowed this client, in this sign-in or another, and what
/// the client may have anyway.
///
/// RFC 6749 section 6 keeps a refresh within its own sign-in. Large issuers do not: with them one sign-in gets tokens of
/// several APIs, one after the other.
struct ConsentedScopes {
    let grant: Scopes
    let earlier: Scopes
    let preconsent: ClientTraits.Preconsent

    private static let everythingOfResource = "/.default"

    /// What was asked for, with `{resource}/.default` followed by all that has been allowed of this resource; nil when
    /// something is not allowed.
    func granted(_ asked: Scopes) -> Scopes? {
        var names: [String] = []
        for name in asked.names {
            guard allows(name) else { return nil }
            names.append(name)
            if name.hasSuffix(Self.everythingOfResource) { names += scopes(likeDefault: name) }
        }
        return Scopes(parsing: names.joined(separator: " "))
    }

    private func allows(_ name: String) -> Bool {
        grant.contains(name) || earlier.contains(name) || preconsent.contains(name)
            || Misbehaviors.isRequested(byScope: name)
            || (name.hasSuffix(Self.everythingOfResource) && !scopes(likeDefault: name).isEmpty)
    }

    private func scopes(likeDefault name: String) -> [String] {
        let resource = AccessGrant.resource(ofScope: name)
        return (grant.names + earlier.names).filter { AccessGrant.resource(ofScope: $0) == resource }
    }
}
