import SwitchyardJSON
import SwitchyardOAuth
import SwitchyardRouting

/// The metadata of a protected resource and of its authorization server, which no operator configured. The first line
/// of the input is the requested URL; the rest is one document, read as each of the two.
enum ResourceMetadataTarget {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        let text = String(decoding: bytes[..<end], as: UTF8.self)
        for isLoopbackAllowed in [false, true] {
            guard let asked = try? ResourceURL(text, allowingLoopbackHTTP: isLoopbackAllowed) else { continue }
            try require(asked.url.isSecure || isLoopbackAllowed && asked.url.isLoopback, "http is for loopback")
            try check(asked)
            guard let json = (try? JSONValue.parse(Array(bytes[end...])))?.object else { continue }
            if let found = try? ProtectedResourceMetadata.parse(
                json, for: asked, allowingLoopbackHTTP: isLoopbackAllowed)
            {
                try check(found, asked)
            }
            let issuer = json["issuer"]?.string ?? text
            let server = try? AuthorizationServerMetadata.parse(
                json, issuer: issuer, allowingLoopbackHTTP: isLoopbackAllowed)
            if let server { try check(server, issuer, isLoopbackAllowed) }
        }
    }

    private static func check(_ asked: ResourceURL) throws(BrokenInvariant) {
        try require(asked.covers(asked), "a resource covers itself")
        for address in asked.metadataAddresses {
            guard let url = try? EndpointURL(address, allowingLoopbackHTTP: true) else {
                throw BrokenInvariant(description: "broken: metadata stand at an address")
            }
            try require(url.origin == asked.origin, "metadata stand at the resource's own origin")
        }
        let segment = ResourceEntry.segment(of: asked)
        try require(segment.utf8.count == 16 && RedirectURI.isSegment(segment.utf8), "each resource has a segment")
        try require(!segment.contains("-") && !segment.contains("_"), "a segment is letters and digits")
        let base = "https://login.example/resource/"
        guard let id = AppID(ResourceEntry.idPrefix + segment), let uri = try? RedirectURI(base + segment) else {
            throw BrokenInvariant(description: "broken: each resource has a redirect URI")
        }
        let entry = AppRegistration(
            id: id, name: asked.host, issuer: "", clientID: "c", redirectURIs: [uri],
            resource: ResourceEntry(
                url: asked, client: nil, metadata: nil, sendsResource: true, trustAnchor: nil, namedHosts: []))
        try require(entry.redirectURI(of: asked) == uri, "an entry's own resource has the entry's redirect URI")
    }

    private static func check(
        _ found: ProtectedResourceMetadata, _ asked: ResourceURL
    ) throws(BrokenInvariant) {
        try require(found.resource.covers(asked), "metadata are of what was asked for, or of what is above")
        try require(found.resource.origin == asked.origin, "metadata are of the same origin")
        try require((1...16).contains(found.authorizationServers.count), "there are a few authorization servers")
        try check(found.scopesSupported)
    }

    private static func check(
        _ server: AuthorizationServerMetadata, _ issuer: String, _ isLoopbackAllowed: Bool
    ) throws(BrokenInvariant) {
        let metadata = server.issuer
        try require(
            metadata.issuer.utf8.elementsEqual(issuer.utf8), "the issuer is the one that was asked, byte for byte")
        let endpoints = [
            metadata.authorizationEndpoint, metadata.tokenEndpoint, metadata.jwksURI, metadata.revocationEndpoint,
            metadata.userInfoEndpoint, server.registrationEndpoint,
        ]
        for endpoint in endpoints.compactMap(\.self) {
            try require(endpoint.isSecure || isLoopbackAllowed && endpoint.isLoopback, "endpoints are https")
        }
        try check(server.scopesSupported)
        guard let url = try? EndpointURL(issuer, allowingLoopbackHTTP: true), url.query == nil else { return }
        let addresses = AuthorizationServerMetadata.addresses(of: url)
        try require((2...3).contains(addresses.count), "metadata of a server stand at two or three places")
        for address in addresses {
            let place = try? EndpointURL(address, allowingLoopbackHTTP: true)
            try require(place?.origin == url.origin, "metadata of a server stand at its origin")
        }
        let grant = ResourceGrant(
            resource: "https://r.example/", sendsResource: true, metadata: metadata, clientID: "c",
            authentication: .none)
        guard let again = ResourceGrant(grant.sealable) else {
            throw BrokenInvariant(description: "broken: what was found can be kept with a sign-in")
        }
        let isSame = again.digest == grant.digest && again.clientID == grant.clientID
        try require(isSame && again.metadata.issuer == grant.metadata.issuer, "what was kept is the same")
    }

    private static func check(_ scopes: Scopes?) throws(BrokenInvariant) {
        for name in scopes?.names ?? [] {
            try require(!name.isEmpty && !name.utf8.contains(where: isInvisible), "a scope is one visible word")
        }
    }
}
