internal import SwitchyardJSON

/// A sign-in that the client itself can show to the person: a URL-mode elicitation (MCP 2025-11-25 and 2026-07-28, "Elicitation",
/// read 2026-11-28). Without I/O.
public struct SignInElicitation: Hashable, Sendable {
    private let id: String
    private let url: String
    private let message: String

    /// The key of our part of an `InputRequiredResult`.
    static let key = "switchyard-sign-in"

    /// - Parameters:
    ///   - id: unique among the elicitations of the session.
    ///   - message: for the person.
    public init(id: String, url: String, message: String) {
        self.id = "\(Self.key)-\(id)"
        self.url = url
        self.message = message
    }

    private var params: JSONObject { ["mode": "url", "url": .string(url), "message": .string(message)] }

    /// The request of a revision with sessions.
    public var request: [UInt8] {
        var params = self.params
        params["elicitationId"] = .string(id)
        return line(["id": .string(id), "method": "elicitation/create", "params": .object(params)])
    }

    /// The notification of a revision with sessions that the sign-in is over.
    public var completion: [UInt8] {
        line(["method": "notifications/elicitation/complete", "params": ["elicitationId": .string(id)]])
    }

    public func isAnswered(by message: MCPMessage) -> Bool {
        guard case .response(let answered) = message.kind else { return false }
        return answered.json == .string(id)
    }

    /// The result of revision 2026-07-28 in place of the server's. The client shows the address, and sends the request again.
    public func inputRequired(_ request: MessageID) -> [UInt8] {
        line([
            "id": request.json,
            "result": [
                "resultType": "input_required",
                "inputRequests": [Self.key: ["method": "elicitation/create", "params": .object(params)]],
            ],
        ])
    }

    private func line(_ members: JSONObject) -> [UInt8] {
        var object: JSONObject = ["jsonrpc": "2.0"]
        for member in members.members { object[member.name] = member.value }
        return JSONValue.object(object).serialized
    }
}

extension MCPMessage {
    /// The requests that a server of 2026-07-28 may answer with `InputRequiredResult`.
    private static let pausable: Set<String> = ["tools/call", "prompts/get", "resources/read"]

    /// Whether the client shows addresses to the person, by what its `initialize` declares.
    public var declaresURLElicitation: Bool { Self.hasURLMode(params?["capabilities"]) }

    /// Whether an `InputRequiredResult` with an address may answer it: the request takes one, it declares URL mode, and it has no
    /// responses to the server's own questions, which would be lost.
    public var takesSignInElicitation: Bool {
        guard case .request(_, let method) = kind, Self.pausable.contains(method), ownRevision != nil,
            params?["inputResponses"] == nil, params?["requestState"] == nil
        else { return false }
        return Self.hasURLMode(params?["_meta"]?.object?["io.modelcontextprotocol/clientCapabilities"])
    }

    private static func hasURLMode(_ capabilities: JSONValue?) -> Bool {
        capabilities?.object?["elicitation"]?.object?["url"]?.object != nil
    }

    /// The request without the answer to our elicitation; nil if it has none.
    public var withoutSignInResponse: MCPMessage? {
        guard ownRevision != nil, var params = self.params, var responses = params["inputResponses"]?.object,
            responses[SignInElicitation.key] != nil
        else { return nil }
        responses[SignInElicitation.key] = nil
        params["inputResponses"] = responses.members.isEmpty ? nil : .object(responses)
        var json = self.json
        json["params"] = .object(params)
        return try? MCPMessage(json)
    }
}
