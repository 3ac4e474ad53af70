internal import SwitchyardOAuth

/// Where an authorization response goes: known before anything else in the request is looked at, so that what is wrong
/// with the rest can be told to the client.
struct ReturnAddress: Sendable {
    /// Why nothing can be sent back to the client; the raw value is a sentence for the page (RFC 6749 section 4.1.2.1).
    enum Problem: String, Error {
        case noClientID = "The request has no client_id."
        case noRedirectURI = "The request has no redirect_uri."
        case brokenRedirectURI = "The redirect_uri is no address that a browser could be sent to."
        case unknownResponseMode = "The response_mode is none that is supported here."
    }

    let clientID: String
    let redirectURI: ClientRedirectURI
    let responseMode: ResponseMode
    let state: String?

    init(_ parameters: RequestParameters) throws(Problem) {
        guard let clientID = parameters["client_id"] else { throw .noClientID }
        guard let redirectURI = parameters["redirect_uri"] else { throw .noRedirectURI }
        guard let redirectURI = ClientRedirectURI(redirectURI) else { throw .brokenRedirectURI }
        guard let mode = ResponseMode(rawValue: parameters["response_mode"] ?? "query") else {
            throw .unknownResponseMode
        }
        self.clientID = clientID
        self.redirectURI = redirectURI
        responseMode = mode
        state = parameters["state"]
    }
}
