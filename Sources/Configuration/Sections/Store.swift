/// Reads `store:`.
enum StoreSection {
    /// The long form, `store: { redis: { … } }`.
    private enum Key: String, ConfigurationKey {
        case redis
    }

    /// nil when it is wrong, which is reported.
    static func decode(_ node: YAMLNode, in context: DecodingContext) -> Configuration.Store? {
        if case .mapping = node.content {
            guard let reader = MappingReader<Key>(node, in: context), !reader.hasRefusedKeys else { return nil }
            return reader.required(.redis, remedy).flatMap { RedisStoreSection(context: context).decode($0) }
        }
        guard let text = context.text(node, remedy) else { return nil }
        if text == "memory" { return .memory }
        // The part behind a colon may hold a password.
        let kind = text.prefix { $0 != ":" }
        guard kind.endIndex < text.endIndex, ["sqlite", "redis", "rediss"].contains(kind) else {
            context.error(at: node.mark, "an unknown kind of store, \"\(kind)\"", remedy)
            return nil
        }
        if kind != "sqlite" { return RedisStoreSection(context: context).decode(url: text, node) }
        return sqlite(String(text.dropFirst("sqlite:".count)), node, context)
    }

    /// The default store: SQLite in the state folder that the service manager names, else memory.
    static func standard(in context: DecodingContext) -> Configuration.Store {
        guard case .main(let environment) = context.file.role,
            let folder = environment["STATE_DIRECTORY"]?.split(separator: ":").first, folder.hasPrefix("/")
        else { return .memory }
        return .sqlite(path: "\(folder)/requests.db")
    }

    /// `sqlite:PATH`, or `sqlite:///PATH` in the form of a URL without a host.
    private static func sqlite(
        _ rest: String, _ node: YAMLNode, _ context: DecodingContext
    ) -> Configuration.Store? {
        let path = rest.hasPrefix("///") ? String(rest.dropFirst(2)) : rest
        guard !path.isEmpty, !path.hasPrefix("//"), !path.hasSuffix("/"), !path.utf8.contains(0) else {
            context.error(
                at: node.mark, "\"\(rest)\" names no file",
                "write sqlite:PATH, or sqlite:///PATH with three slashes for an absolute one")
            return nil
        }
        return .sqlite(path: context.file.resolve(path))
    }

    private static let remedy = "write sqlite:PATH, redis://HOST:PORT, { redis: … } or memory, or leave it out"
}
