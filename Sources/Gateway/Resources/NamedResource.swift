internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardRouting

/// A resource as a call names it.
struct NamedResource: Sendable {
    let resource: ResourceURL
    var challenge: BearerChallenge?
    var scope: Scopes?
    var previous: Scopes?
    /// Whether a client may be registered for it.
    var mayRegister = true
    /// Whether the caller can have tokens that are bound to a key.
    var takesBoundTokens = true
    /// Whether requests name the resource, if the entry says nothing against it.
    var sendsResource = true
}

extension NamedResource {
    /// Reads `resource` and the fields beside it.
    /// - Returns: the entry that allows it, and the resource.
    static func read(
        _ content: JSONContent, _ routes: RouteTable
    ) throws(APIError) -> (AppRegistration, NamedResource) {
        let resource = try resource(content)
        guard let app = routes.app(of: resource) else { throw .resourceNotAllowed(resource) }
        var named = NamedResource(resource: resource)
        named.scope = try content.scope()
        if let text = try content.text("previous_scopes", maximum: 4096) {
            guard let scopes = Scopes(validating: text) else {
                throw APIError(
                    .badRequest, "invalid_scope", "\"previous_scopes\" is no list of scopes separated by spaces")
            }
            named.previous = scopes
        }
        if let text = try content.text("www_authenticate", maximum: 16 * 1024) {
            do throws(BearerChallengeError) {
                named.challenge = try BearerChallenge(wwwAuthenticate: text)
            } catch {
                throw .invalidRequest("\"www_authenticate\" \(error)")
            }
        }
        return (app, named)
    }

    private static func resource(_ content: JSONContent) throws(APIError) -> ResourceURL {
        try resource(try content.requiredText("resource"))
    }

    /// Plain http passes the reading. Only an entry that names such a resource allows it.
    static func resource(_ text: String) throws(APIError) -> ResourceURL {
        do throws(ResourceURLError) {
            return try ResourceURL(text, allowingLoopbackHTTP: true)
        } catch {
            throw APIError(.badRequest, "not_a_resource", "\"resource\": the address \(error)")
        }
    }
}
