internal import SwitchyardDemoIssuer
internal import SwitchyardJSON
internal import SwitchyardOAuth

/// A form of the test interface. An unknown name or value makes the whole form wrong.
/// - `keys`: a ``TestKeys/Change``;
/// - `outage`: the parts that are out of reach from now on, comma-separated, or `none`;
/// - `client`: the client ID that the following are about, with `family` (`none` takes it out) and
///   `preconsent` (scopes, or `*`);
/// - `api`: the name of an API that wants `api_claims` (a JSON object, or `none`) to have been asked for with a token,
///   and says so as `api_form` says: a ``ClaimsChallenge/Form``, `base64` by default;
/// - `mailbox`: whose latest code is answered, as `code`;
/// - `continue_as`: who has just signed up with the client: its `continuation_token` is answered;
/// - `token`: `answer` or `forget`, of that client or of all; see ``ControlRequest/entry(_:)``.
struct ControlRequest {
    struct UnknownValue: Error {
        let name: String
    }

    enum ScriptChange {
        case add(TokenScript.Entry)
        case forget
    }

    let keys: TestKeys.Change?
    let outage: Set<Outage.Part>?
    let clientID: String?
    let script: ScriptChange?
    let challenge: (api: String, ClaimsChallenge?)?
    let mailbox: String?
    let signedUp: NativeUser?
    private let family: String?
    private let preconsent: ClientTraits.Preconsent?

    private static let names: Set = [
        "keys", "outage", "client", "family", "preconsent", "token", "api", "api_claims", "api_form", "mailbox",
        "continue_as",
    ]

    init(_ parameters: RequestParameters) throws(UnknownValue) {
        let known = Self.names.union(Self.scriptNames)
        if let stranger = parameters.pairs.first(where: { !known.contains($0.name) }) {
            throw UnknownValue(name: stranger.name)
        }
        keys = try parameters.read("keys") { TestKeys.Change(rawValue: $0) }
        outage = try parameters.read("outage", Self.parts)
        clientID = parameters["client"]
        family = parameters["family"]
        preconsent = try parameters.read("preconsent") { ClientTraits.Preconsent($0) }
        mailbox = parameters["mailbox"]
        signedUp = try parameters.read("continue_as") { NativeUser($0) }
        // They need a client.
        if clientID == nil, signedUp != nil || family != nil || preconsent != nil { throw UnknownValue(name: "client") }
        challenge = try Self.challenge(parameters)
        switch parameters["token"] {
        case "answer": script = .add(try Self.entry(parameters))
        case "forget": script = .forget
        case nil:
            // They would have no effect.
            let lost = Self.scriptNames.first { parameters[$0] != nil }
            if let lost { throw UnknownValue(name: lost) }
            script = nil
        default: throw UnknownValue(name: "token")
        }
    }

    func change(_ traits: inout ClientTraits) {
        if let family { traits.family = family == "none" ? nil : family }
        if let preconsent { traits.preconsent = preconsent }
    }

    private static func challenge(
        _ parameters: RequestParameters
    ) throws(UnknownValue) -> (api: String, ClaimsChallenge?)? {
        guard let api = parameters["api"] else {
            if parameters["api_claims"] != nil || parameters["api_form"] != nil { throw UnknownValue(name: "api") }
            return nil
        }
        guard let text = parameters["api_claims"] else { throw UnknownValue(name: "api_claims") }
        let form = try parameters.read("api_form") { ClaimsChallenge.Form(rawValue: $0) }
        if text == "none" { return (api, nil) }
        guard let claims = (try? JSONValue.parse(Array(text.utf8)))?.object else {
            throw UnknownValue(name: "api_claims")
        }
        return (api, ClaimsChallenge(claims: claims, form: form ?? .base64))
    }

    private static func parts(_ names: String) -> Set<Outage.Part>? {
        if names == "none" { return [] }
        let names = names.split(separator: ",")
        let parts = names.compactMap { Outage.Part(rawValue: String($0)) }
        return parts.count == names.count ? Set(parts) : nil
    }
}

extension RequestParameters {
    /// The value as `read` parses it; nil without a value.
    /// - Throws: ``ControlRequest/UnknownValue`` if `read` cannot parse it.
    func read<Value>(_ name: String, _ read: (String) -> Value?) throws(ControlRequest.UnknownValue) -> Value? {
        guard let text = self[name] else { return nil }
        guard let value = read(text) else { throw ControlRequest.UnknownValue(name: name) }
        return value
    }
}
