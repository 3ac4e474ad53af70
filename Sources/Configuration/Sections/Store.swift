/// Reads `store:`. Of its forms only `memory` is built.
enum StoreSection {
    /// The long form, `store: { redis: { … } }`.
    private enum Key: String, ConfigurationKey {
        case redis

        var isBuilt: Bool { false }
    }

    /// nil when it is wrong, which is reported.
    static func decode(_ node: YAMLNode, in context: DecodingContext) -> Configuration.Store? {
        if case .mapping = node.content {
            _ = MappingReader<Key>(node, in: context)
            return nil
        }
        guard let text = context.text(node, remedy) else { return nil }
        if text == "memory" { return .memory }
        // What follows a colon may hold a password.
        let kind = text.prefix { $0 != ":" }
        if ["sqlite", "redis", "rediss"].contains(String(kind)), kind.endIndex < text.endIndex {
            context.notSupportedYet("a store in \(kind)", at: node.mark, remedy)
        } else {
            context.error(at: node.mark, "an unknown kind of store, \"\(kind)\"", remedy)
        }
        return nil
    }

    private static let remedy = "write memory, or leave it out"
}
