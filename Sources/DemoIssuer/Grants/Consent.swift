package import SwitchyardOAuth
internal import Synchronization

/// The meaning of scopes at this issuer.
package struct ScopeRules: Sendable {
    /// The prefix of the issuer's own scopes, beside those that OpenID Connect reserves. They concern the sign-in
    /// itself: they need no consent and belong to no API. nil without a prefix.
    let ownPrefix: String?

    package func isOwn(_ scope: String) -> Bool { ownPrefix.map(scope.hasPrefix) ?? false }

    /// Those that a person is asked for.
    func ofAPIsAndPeople(_ scopes: Scopes) -> Scopes {
        guard ownPrefix != nil else { return scopes }
        return Scopes(parsing: scopes.names.filter { !isOwn($0) }.joined(separator: " "))
    }

    /// The resource that a scope is of: `api://mail` for `api://mail/read`, `mail` for `mail.read`. nil for one that is
    /// about the sign-in itself.
    package func resource(ofScope scope: String) -> String? {
        if Scopes.reserved.contains(scope) || isOwn(scope) { return nil }
        if let slash = scope.lastIndex(of: "/") { return String(scope[..<slash]) }
        return String(scope.prefix { $0 != "." })
    }

    /// Each resource once.
    func resources(of scopes: Scopes) -> [String] {
        var resources: [String] = []
        for resource in scopes.names.compactMap(resource) where !resources.contains(resource) {
            resources.append(resource)
        }
        return resources
    }
}

/// The scopes that each person has allowed each client, over all sign-ins. Safe from any thread.
package final class ConsentStore: Sendable {
    private struct Key: Hashable {
        let clientID: String
        let subject: String
    }

    private let scopes = Mutex<[Key: Scopes]>([:])
    private static let capacity = 100_000

    /// Beyond the capacity, new scopes are dropped: a refresh can then ask only for the scopes of its own sign-in.
    package func add(_ more: Scopes, by user: DemoUser, to clientID: String) {
        let key = Key(clientID: clientID, subject: user.subject)
        scopes.withLock { scopes in
            guard let known = scopes[key] else {
                if scopes.count < Self.capacity { scopes[key] = more }
                return
            }
            // Most calls add no scope; then no new set is built.
            if !more.names.allSatisfy(known.contains) { scopes[key] = Scopes(parsing: "\(known.text) \(more.text)") }
        }
    }

    func scopes(of user: DemoUser, for clientID: String) -> Scopes {
        scopes.withLock { $0[Key(clientID: clientID, subject: user.subject)] } ?? Scopes(parsing: "")
    }
}

/// The scopes that a token request may ask for: all that the person has allowed this client in any sign-in, and the
/// client's own.
///
/// RFC 6749 section 6 keeps a refresh within its own sign-in. Large issuers do not: there one sign-in gets tokens of
/// several APIs, one after the other.
struct ConsentedScopes {
    let grant: Scopes
    let earlier: Scopes
    let preconsent: ClientTraits.Preconsent
    let rules: ScopeRules

    private static let everythingOfResource = "/.default"

    /// The scopes asked for, with `{resource}/.default` replaced by all allowed scopes of this resource; nil when one
    /// of them is not allowed.
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
            || rules.isOwn(name)
            || (name.hasSuffix(Self.everythingOfResource) && !scopes(likeDefault: name).isEmpty)
    }

    private func scopes(likeDefault name: String) -> [String] {
        let resource = rules.resource(ofScope: name)
        return (grant.names + earlier.names).filter { rules.resource(ofScope: $0) == resource }
    }
}
