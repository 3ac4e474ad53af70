public import SwitchyardJSON

/// The id of a JSON-RPC request: a string or a whole number. `1` and `"1"` are different ids.
public struct MessageID: Hashable, Sendable {
    public let json: JSONValue

    public init?(_ json: JSONValue?) {
        switch json {
        case .string, .integer: self.json = json ?? .null
        default: return nil
        }
    }
}

/// One JSON-RPC message of the Model Context Protocol, with its bytes as they came. The bytes hold no line end.
public struct MCPMessage: Sendable {
    public enum Kind: Equatable, Sendable {
        case request(MessageID, method: String)
        case notification(method: String)
        case response(MessageID)
        /// An error without an id, because its request could not be read.
        case anonymousError
    }

    public let kind: Kind
    public let json: JSONObject
    public let bytes: [UInt8]

    /// Reads one line of the client.
    public init(line bytes: [UInt8]) throws(MessageError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue.parse(bytes)
        } catch {
            throw .noJSON(error.description)
        }
        guard let json = value.object else { throw .noMessage(nil, "a message is one JSON object") }
        kind = try Self.kind(of: json)
        self.json = json
        self.bytes = bytes
    }

    /// Reads a server's answer. Line ends become blanks: JSON has them between its values only.
    public init(answer bytes: [UInt8]) throws(MessageError) {
        let hasLineEnd = bytes.contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        try self.init(
            line: hasLineEnd
                ? bytes.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 } : bytes)
    }

    /// A message with other members than the one that came.
    public init(_ json: JSONObject) throws(MessageError) {
        try self.init(line: JSONValue.object(json).serialized)
    }

    private static func kind(of json: JSONObject) throws(MessageError) -> Kind {
        let id = MessageID(json["id"])
        guard json["jsonrpc"]?.string == "2.0" else { throw .noMessage(id, "\"jsonrpc\" is not \"2.0\"") }
        guard let method = json["method"] else { return try response(json, id) }
        guard let method = method.string else { throw .noMessage(id, "\"method\" is not a string") }
        if let params = json["params"], params.object == nil { throw .noMessage(id, "\"params\" is not an object") }
        guard json["id"] != nil else { return .notification(method: method) }
        guard let id else { throw .noMessage(nil, "\"id\" is neither a string nor a whole number") }
        return .request(id, method: method)
    }

    private static func response(_ json: JSONObject, _ id: MessageID?) throws(MessageError) -> Kind {
        let isResult = json["result"]?.object != nil
        let isError = json["error"]?.object != nil
        guard isResult != isError else { throw .noMessage(id, "there is neither a method nor one result or error") }
        if let id { return .response(id) }
        guard isError, json["id"] == nil || json["id"] == .null else {
            throw .noMessage(nil, "\"id\" is neither a string nor a whole number")
        }
        return .anonymousError
    }
}

extension MCPMessage {
    public var params: JSONObject? { json["params"]?.object }

    public var method: String? {
        switch kind {
        case .request(_, let method), .notification(let method): method
        case .response, .anonymousError: nil
        }
    }

    /// The id of a request; nil for every other message.
    public var requestID: MessageID? {
        if case .request(let id, _) = kind { id } else { nil }
    }

    /// The revision that the message itself names, as all do from 2026-07-28 on; nil for one of an earlier revision.
    public var ownRevision: String? {
        params?["_meta"]?.object?["io.modelcontextprotocol/protocolVersion"]?.string
    }

    /// The request that a `notifications/cancelled` ends; nil for every other message.
    public var cancelled: MessageID? {
        guard kind == .notification(method: "notifications/cancelled") else { return nil }
        return MessageID(params?["requestId"])
    }
}

/// The reason why bytes are no message (JSON-RPC 2.0 section 5.1).
public enum MessageError: Error, Equatable, Sendable {
    case noJSON(String)
    /// - Parameter id: the id, if it could be read.
    case noMessage(MessageID?, String)

    public var words: String {
        switch self {
        case .noJSON(let words): "this is no JSON text: \(words)"
        case .noMessage(_, let words): "this is no JSON-RPC message: \(words)"
        }
    }

    /// The line that tells the client.
    public var line: [UInt8] {
        switch self {
        case .noJSON: ErrorLine.make(nil, .parseError, words)
        case .noMessage(let id, _): ErrorLine.make(id, .invalidRequest, words)
        }
    }
}
