public import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardText

/// The word of a client document about the tokens of its client (RFC 9449 section 5.2).
public enum ClientDocumentDemand: Sendable, Equatable {
    /// All of them must be bound to a key.
    case boundTokens
    case nothing
    /// No document stands at the address: the client ID is only a name.
    case noDocument
}

extension Redeemer {
    /// Asks for a client document. Only from a task of the redeemer's loop.
    /// - Parameter address: the document's, which is the client ID.
    /// - Returns: nil without an answer that counts, such as the page of a firewall.
    public func demand(ofClient address: String, _ rules: GivenAddressRules) async -> ClientDocumentDemand? {
        guard let answer = try? await client.send(rules.request(.get, address)) else { return nil }
        if answer.status == 404 || answer.status == 410 { return .noDocument }
        guard answer.status == 200, let json = (try? JSONValue.parse(answer.body))?.object,
            json["client_id"]?.string?.isExactly(address) == true
        else { return nil }
        return json.demands("dpop_bound_access_tokens") ? .boundTokens : .nothing
    }
}
