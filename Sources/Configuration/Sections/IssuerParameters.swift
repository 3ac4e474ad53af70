internal import SwitchyardOAuth

extension DecodingContext {
    /// `authorization_parameters` or `token_parameters` of an issuer: what each such request gets.
    func parameters(_ node: YAMLNode, of target: ParameterTarget) -> [FormField] {
        guard node.isMapping else {
            error(at: node.mark, "\(node.label)\(node.kindName) where a mapping belongs", "write \"name: value\" lines")
            return []
        }
        var fields: [FormField] = []
        for entry in node.entries {
            guard let value = text(entry.value) else { continue }
            let name = entry.key
            if target.isForbiddenDefault(name) {
                error(
                    at: entry.keyMark, "the gateway sets \"\(name)\" of the \(target.rawValue) request itself",
                    "leave it out")
            } else if !(1...128).contains(name.utf8.count) || !name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
                || !target.isPlain(name)
            {
                error(
                    at: entry.keyMark, "\"\(name)\" as the name of a parameter",
                    "write 1 to 128 letters, digits, \"_\", \"-\" and \":\"")
            } else if value.utf8.count > 2048 {
                error(at: entry.value.mark, "a parameter of more than 2048 bytes", "write a shorter value")
            } else {
                fields.append(FormField(name, value))
            }
        }
        return fields
    }
}

/// `account:` of an issuer: where it says who signed in.
struct AccountSection {
    enum Key: String, ConfigurationKey {
        case url
        case id
        case name
    }

    /// - Parameter endpoint: reads the address of an endpoint.
    /// - Returns: nil when something in it is wrong, which is reported.
    static func decode(
        _ node: YAMLNode, in context: DecodingContext, endpoint: (YAMLNode) -> EndpointURL?
    ) -> AccountEndpoint? {
        guard let reader = MappingReader<Key>(node, in: context) else { return nil }
        let url = reader.required(.url, "write the address that names a token's account").flatMap { endpoint($0) }
        let id = reader.required(.id, "write a JSON pointer to the account's id in the answer, such as /id")
            .flatMap { context.pointer($0) }
        let name = reader[.name].map { context.pointer($0) }
        guard let url, let id, name != .some(nil), !reader.hasRefusedKeys else { return nil }
        return AccountEndpoint(url: url, id: id, name: name ?? nil)
    }
}
