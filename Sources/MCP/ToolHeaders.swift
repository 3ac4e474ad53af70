public import SwitchyardJSON
internal import SwitchyardText

/// The parameters of tools that calls repeat in `Mcp-Param-*` fields, by the tools' schemas (MCP 2026-07-28, Streamable HTTP,
/// "Custom Headers from Tool Parameters").
public struct ToolHeaders: Sendable {
    /// A parameter that is repeated.
    struct Mirror: Equatable, Sendable {
        /// The names of the properties that lead to it.
        let path: [String]
        /// The field's name behind `Mcp-Param-`.
        let name: String
    }

    /// The reason why a tool cannot be offered.
    struct Fault: Error, Equatable {
        let words: String
    }

    private var tools: [String: [Mirror]] = [:]

    public init() {}

    /// Learns the tools of a `tools/list` result.
    /// - Returns: the result without the tools whose schemas break the rules, if there are some; and those, with the reason.
    public mutating func take(_ result: JSONObject) -> (kept: JSONObject?, leftOut: [(tool: String, reason: String)]) {
        guard let listed = result["tools"]?.array else { return (nil, []) }
        var kept: [JSONValue] = []
        var leftOut: [(tool: String, reason: String)] = []
        for tool in listed {
            let name = tool.object?["name"]?.string ?? ""
            do throws(Fault) {
                tools[name] = try Self.mirrors(in: tool.object?["inputSchema"] ?? .null)
                kept.append(tool)
            } catch {
                tools[name] = nil
                leftOut.append((name, error.words))
            }
        }
        guard !leftOut.isEmpty else { return (nil, []) }
        var result = result
        result["tools"] = .array(kept)
        return (result, leftOut)
    }

    /// The fields for a call.
    public func fields(tool: String, arguments: JSONObject?) -> [(String, String)] {
        (tools[tool] ?? []).compactMap { mirror in
            var value = arguments.map(JSONValue.object)
            for step in mirror.path { value = value?.object?[step] }
            return value.flatMap(HeaderValue.encode).map { ("Mcp-Param-\(mirror.name)", $0) }
        }
    }

    // MARK: Schemas

    private static let keyword = "x-mcp-header"
    /// Keywords whose values are examples, not schemas.
    private static let data: Set<String> = ["default", "const", "enum", "examples"]

    static func mirrors(in schema: JSONValue) throws(Fault) -> [Mirror] {
        var mirrors: [Mirror] = []
        try walk(schema, path: [], into: &mirrors)
        var names: Set<String> = []
        for mirror in mirrors where !names.insert(mirror.name.asciiLowercased).inserted {
            throw Fault(words: "two parameters have the header \"\(mirror.name)\"")
        }
        return mirrors
    }

    /// - Parameter path: nil where the way there is not one of `properties` alone.
    private static func walk(_ value: JSONValue, path: [String]?, into mirrors: inout [Mirror]) throws(Fault) {
        switch value {
        case .array(let elements):
            for element in elements { try walk(element, path: nil, into: &mirrors) }
        case .object(let schema):
            if let name = schema[keyword] { mirrors.append(try mirror(name, of: schema, path)) }
            for (key, value) in schema.members where !data.contains(key) {
                guard key == "properties", let properties = value.object else {
                    if key != keyword { try walk(value, path: nil, into: &mirrors) }
                    continue
                }
                for (name, property) in properties.members {
                    try walk(property, path: path.map { $0 + [name] }, into: &mirrors)
                }
            }
        case .null, .bool, .integer, .number, .largeNumber, .string: break
        }
    }

    private static func mirror(
        _ name: JSONValue, of schema: JSONObject, _ path: [String]?
    ) throws(Fault) -> Mirror {
        guard let path, !path.isEmpty else {
            throw Fault(words: "\(keyword) stands at a place that properties alone do not lead to")
        }
        guard let name = name.string, isToken(name) else {
            throw Fault(words: "\(keyword) is not the name of a header field")
        }
        guard let type = schema["type"]?.string, ["string", "integer", "boolean"].contains(type) else {
            throw Fault(words: "\(keyword) \"\(name)\" is for a string, an integer or a boolean")
        }
        return Mirror(path: path, name: name)
    }

    /// RFC 9110 section 5.6.2.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.allBytes { ASCII.isAlphanumeric($0) || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }
}
