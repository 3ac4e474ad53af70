public import SwitchyardOAuth
internal import SwitchyardRouting

/// A client of a tool that is not ours, for which the gateway serves a document.
public struct HostedClient: Hashable, Sendable {
    public let id: String
    public let document: ClientDocument
}

/// `clients:`: documents for tools that sign in by themselves, and need an address for theirs.
struct ClientsSection {
    enum Key: String, ConfigurationKey {
        case id
        case name
        case redirectURIs = "redirect_uris"
        case scope
        case bindsTokens = "dpop_bound_access_tokens"
    }

    let context: DecodingContext
    /// nil when it is wrong, which has been reported.
    let publicURL: PublicURL?

    /// - Parameter taken: the ids of apps.
    func decode(_ node: YAMLNode, taken: Set<String>) -> [HostedClient] {
        if let publicURL, !publicURL.isHTTPS {
            context.error(
                at: node.mark, "clients at an http public_url", "serve them by https: issuers fetch no other documents")
        }
        var known = taken
        return context.list(node) { element in
            guard let reader = MappingReader<Key>(element, in: context) else { return nil }
            let id = reader.required(.id, Self.idRemedy).flatMap {
                context.value($0, Self.idRemedy) { HostedClient.isID($0) ? $0 : nil }
            }
            let name = reader.required(.name, "write the name that people see at the issuer").flatMap {
                context.text($0)
            }
            let uris = reader.required(.redirectURIs, "list the redirect URIs of the tool").flatMap { redirectURIs($0) }
            let scope = reader[.scope].flatMap {
                context.value($0, "write scopes in one text, separated by spaces") { Scopes(validating: $0) }
            }
            guard let id, let name, let uris, let publicURL else { return nil }
            guard known.insert(id).inserted else {
                context.error(at: reader.mark(of: .id), "a second client or app \"\(id)\"", "give each its own id")
                return nil
            }
            var document = ClientDocument(
                address: "\(publicURL)/clients/\(id)", name: name, home: "\(publicURL)", redirectURIs: uris,
                scope: scope ?? Scopes(parsing: ""))
            document.bindsTokens =
                reader[.bindsTokens].flatMap { context.choice($0, [("true", true), ("false", false)]) } ?? false
            guard document.content.count <= ClientDocument.maximumBytes else {
                context.error(
                    at: reader.mark(of: .id), "the document of \"\(id)\" has \(document.content.count) bytes",
                    "issuers take at most \(ClientDocument.maximumBytes): list fewer redirect URIs")
                return nil
            }
            return HostedClient(id: id, document: document)
        } ?? []
    }

    private static let idRemedy = "write an id of letters, digits and ._-, not of dots alone, and not resource.…"

    private func redirectURIs(_ node: YAMLNode) -> [RedirectURI]? {
        let uris = context.list(node) { element -> RedirectURI? in
            guard let text = context.text(element) else { return nil }
            do throws(RedirectURIError) {
                let uri = try RedirectURI(text, isElsewhere: true)
                if ClientDocument.takes(uri) { return uri }
                context.error(
                    at: element.mark, "the redirect URI \"\(text)\" is neither https nor loopback",
                    "issuers refuse custom schemes in client documents; list another one")
            } catch {
                context.error(at: element.mark, "the redirect URI \"\(text)\" \(error.message)", error.remedy)
            }
            return nil
        }
        guard let uris, !uris.isEmpty else {
            if node.isEmptyList { context.error(at: node.mark, "a client without a redirect URI", "list at least one") }
            return nil
        }
        return uris
    }
}

extension HostedClient {
    /// Whether a text may stand behind `/clients/`, and belongs to no resource.
    static func isID(_ text: String) -> Bool {
        let bytes = text.utf8
        return (1...128).contains(bytes.count) && bytes.contains { $0 != UInt8(ascii: ".") }
            && bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "._-".utf8.contains(byte)
                }
            } && !text.hasPrefix(ResourceEntry.idPrefix)
    }
}
