public import SwitchyardJSON

/// A JSON-RPC error response of ours.
public enum ErrorLine {
    /// The codes of JSON-RPC 2.0, and one for a sign-in that is missing. The protocol leaves numbers outside of JSON-RPC's own
    /// range to implementations (MCP 2026-07-28, base protocol, "Error Codes").
    public enum Code: Int64, Sendable {
        case parseError = -32700
        case invalidRequest = -32600
        case internalError = -32603
        case signInNeeded = 401
    }

    public static func make(
        _ id: MessageID?, _ code: Code, _ message: String, data: JSONValue? = nil
    ) -> [UInt8] {
        var error: JSONObject = ["code": .integer(code.rawValue), "message": .string(message)]
        error["data"] = data
        return make(id, error)
    }

    /// Gives a server's error, which names no request, to the request that it was the answer to.
    public static func make(_ id: MessageID?, _ error: JSONObject) -> [UInt8] {
        JSONValue.object(["jsonrpc": "2.0", "id": id?.json ?? .null, "error": .object(error)]).serialized
    }
}
