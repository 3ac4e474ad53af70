public import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardText

extension Redeemer {
    /// Whether a client document demands that all tokens of its client are bound to a key (RFC 9449 section 5.2). Only from a
    /// task of the redeemer's loop.
    /// - Parameter address: the document's, which is the client ID.
    /// - Returns: nil for a document that cannot be read.
    public func bindsTokens(ofClient address: String, _ rules: GivenAddressRules) async -> Bool? {
        let answer = try? await client.send(rules.request(.get, address))
        guard let answer, answer.status == 200, let json = (try? JSONValue.parse(answer.body))?.object,
            json["client_id"]?.string?.isExactly(address) == true
        else { return nil }
        return json["dpop_bound_access_tokens"]?.bool ?? false
    }
}
