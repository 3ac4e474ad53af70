public import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardText

extension Redeemer {
    /// Whether a client document demands that all tokens of its client are bound to a key (RFC 9449 section 5.2). Only from a
    /// task of the redeemer's loop.
    ///
    /// An answer without such a document demands nothing: an issuer reads the same there.
    /// - Parameter address: the document's, which is the client ID.
    /// - Returns: nil without an answer that counts.
    public func bindsTokens(ofClient address: String, _ rules: GivenAddressRules) async -> Bool? {
        let answer = try? await client.send(rules.request(.get, address))
        guard let answer, answer.status == 200 || (400...499).contains(answer.status), answer.status != 429 else {
            return nil
        }
        guard answer.status == 200, let json = (try? JSONValue.parse(answer.body))?.object,
            json["client_id"]?.string?.isExactly(address) == true
        else { return false }
        return json.demands("dpop_bound_access_tokens")
    }
}
