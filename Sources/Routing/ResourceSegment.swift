public import SwitchyardOAuth
internal import SwitchyardText

/// The redirect URIs and client documents of single resources.
///
/// The resource that an entry names has the entry's own segment. Each resource below has that segment, a hyphen, and a segment
/// of its own. So a gateway finds the entry by the address alone, without a store, also after a restart.
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
}

extension AppRegistration {
    /// The redirect URI of one resource of this entry; nil for an app.
    public func redirectURI(of resource: ResourceURL) -> RedirectURI? {
        guard let entry = self.resource, let own = redirectURIs.first else { return nil }
        guard let url = entry.url, !entry.sharesRedirectURI else { return own }
        let segment = ResourceEntry.segment(of: resource)
        return segment == ResourceEntry.segment(of: url) ? own : redirectURI(below: segment)
    }

    /// The redirect URI of a client document, by the ID of that document; nil if the entry has no such document.
    public func redirectURI(ofDocument id: String) -> RedirectURI? {
        guard let entry = resource, !entry.sharesRedirectURI, id.hasPrefix(self.id.text) else { return nil }
        let rest = id.dropFirst(self.id.text.count)
        return rest.isEmpty ? redirectURIs.first : redirectURI(below: rest.dropFirst())
    }

    /// The exact redirect URI that a callback below the entry's own has come to; nil where resources share one.
    func redirectURI(below segment: some StringProtocol) -> RedirectURI? {
        guard let entry = resource, !entry.sharesRedirectURI, let own = redirectURIs.first else { return nil }
        return try? RedirectURI("\(own.text)-\(segment)")
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
