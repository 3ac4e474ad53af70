internal import SwitchyardOAuth
internal import SwitchyardRouting

/// The parts of `resources:` that only an agent has, or only a gateway.
extension ResourcesSection {
    static let ownUserOnly = "only the agent's own user begins there"
    static let noPrograms = "only an agent knows which program asks"

    func refuseKeysOfGateway(_ reader: MappingReader<Key>) {
        reader.refuse([.beginFrom], because: Self.ownUserOnly)
        guard let release = reader[.release], context.text(release) != ReleasePolicy.none.rawValue else { return }
        context.error(
            at: release.mark, "a release at an agent, where browser and program belong to one user",
            "leave it out: the port takes callbacks from this user's programs only")
    }

    func refuseKeysOfAgent(_ reader: MappingReader<Key>) {
        reader.refuse([.useFrom], because: Self.noPrograms)
        reader.refuse([.clientID], because: "a gateway serves a client document for each resource")
        guard let others = reader[.others], context.choice(others, [("true", true), ("false", false)]) == true else {
            return
        }
        context.error(
            at: others.mark, "others: true at a gateway, which many people share", "list the resources below allow")
    }

    /// The registration of all https resources that no entry names.
    static func others(_ base: String, _ useFrom: UseFrom?, _ document: String?) -> AppRegistration? {
        guard let id = AppID(ResourceEntry.idPrefix + "others"), let uri = try? RedirectURI(base) else { return nil }
        return AppRegistration(
            id: id, name: "a resource", issuer: "", clientID: id.text, redirectURIs: [uri], release: .none,
            useFrom: useFrom,
            resource: ResourceEntry(
                url: nil, client: nil, metadata: nil, sendsResource: true, trustAnchor: nil, namedHosts: [],
                document: document, isOfAgent: true))
    }

    /// The redirect URI of an agent: on 127.0.0.1, where only this user's programs are heard.
    func loopbackBase(_ node: YAMLNode) -> String? {
        guard let text = context.text(node) else { return nil }
        let base = text.hasSuffix("/") ? String(text.dropLast()) : text
        if let uri = try? RedirectURI(base + "/x"), case .loopback("127.0.0.1", _) = uri.form { return base }
        context.error(
            at: node.mark, "the redirect URI \"\(text)\" is not on 127.0.0.1",
            "leave it out, or write one such as \(Self.baseOfAgent); without a port each sign-in finds one")
        return nil
    }

    /// The address of a client document, which is a client ID (draft-ietf-oauth-client-id-metadata-document-00, section 3).
    func document(_ node: YAMLNode) -> String? {
        guard let text = context.text(node) else { return nil }
        if let url = try? EndpointURL(text, allowingLoopbackHTTP: false), url.query == nil,
            text.dropFirst("https://".count).contains("/")
        {
            return text
        }
        context.error(
            at: node.mark, "\"\(text)\" is no address of a client document",
            "write the https address of one, such as https://login.example.com/clients/agent")
        return nil
    }
}
