public import SwitchyardOAuth
internal import SwitchyardText

/// The redirect URIs and client documents of single resources.
///
/// The resource that an entry names has the entry's own segment. Each resource below has that segment, a hyphen, and a segment
/// of its own. So a gateway finds the entry by the address alone, without a store, also after a restart. A resource that no entry
/// names, at an agent, has its own segment below the base.
///
/// Each resource has a client of its own by that: an issuer that was asked for consent to one resource is asked anew for another
/// one that names it as its authorization server.
///
/// Nothing rests on the second segment being a resource's: such an address only ever leads back to this gateway, where a callback
/// needs a request that named it.
enum ResourceSegment {
    static let length = 16
    static let hyphen = UInt8(ascii: "-")

    /// The length of the entry's own path, if `path` is of a resource below an entry; nil for any other path.
    static func endOfEntry(_ path: Span<UInt8>) -> Int? {
        let end = path.count - length - 1
        guard end > 0, path[end] == hyphen else { return nil }
        for index in (end + 1)..<path.count {
            guard ASCII.isAlphanumeric(path[index]) else { return nil }
        }
        return end
    }

    /// The last segment of `path`, if it can be a resource's; nil for any other path.
    static func last(of path: String) -> Substring? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let segment = path[path.index(after: slash)...]
        return segment.utf8.count == length && segment.utf8.allSatisfy(ASCII.isAlphanumeric) ? segment : nil
    }
}

extension AppRegistration {
    /// The redirect URI of one resource of this entry; nil for an app.
    public func redirectURI(of resource: ResourceURL) -> RedirectURI? {
        guard let entry = self.resource, let own = redirectURIs.first else { return nil }
        guard !entry.sharesRedirectURI else { return own }
        let segment = ResourceEntry.segment(of: resource)
        if let url = entry.url, segment == ResourceEntry.segment(of: url) { return own }
        return redirectURI(below: segment)
    }

    /// The redirect URI of a sign-in with these findings; nil for an app.
    func redirectURI(of grant: ResourceGrant) -> RedirectURI? {
        // The document of an agent's client lists the entry's.
        if let document = resource?.document, grant.clientID.isExactly(document) { return redirectURIs.first }
        return (try? ResourceURL(grant.resource, allowingLoopbackHTTP: true)).flatMap { redirectURI(of: $0) }
    }

    /// The redirect URI of a client document, by the ID of that document; nil if the entry has no such document.
    public func redirectURI(ofDocument id: String) -> RedirectURI? {
        guard let entry = resource, entry.hasDocuments, id.hasPrefix(self.id.text) else { return nil }
        let rest = id.dropFirst(self.id.text.count)
        return rest.isEmpty ? redirectURIs.first : redirectURI(below: rest.dropFirst())
    }

    /// The exact redirect URI that a callback below the entry's own has come to; nil where resources share one.
    func redirectURI(below segment: some StringProtocol) -> RedirectURI? {
        guard let entry = resource, !entry.sharesRedirectURI, let own = redirectURIs.first else { return nil }
        return try? RedirectURI("\(own.text)\(entry.url == nil ? "/" : "-")\(segment)")
    }
}

extension RouteTable {
    /// The entry of a client document, and the redirect URI that it lists; nil for any other ID.
    public func resource(ofDocument id: String) -> (entry: AppRegistration, redirectURI: RedirectURI)? {
        let entryID = ResourceSegment.endOfEntry(id.utf8.span).map {
            String(decoding: id.utf8.prefix($0), as: UTF8.self)
        }
        guard let entry = app(named: entryID ?? id), let uri = entry.redirectURI(ofDocument: id) else { return nil }
        return (entry, uri)
    }
}
