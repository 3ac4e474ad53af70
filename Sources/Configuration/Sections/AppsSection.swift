/// The `apps:` list, and the files of `apps_directory:`.
enum AppsSection {
    /// The keys of a file in `apps_directory`.
    private enum FileKey: String, ConfigurationKey {
        case apps
    }

    static func decode(_ node: YAMLNode, in context: DecodingContext) -> [DecodedApp] {
        context.list(node) { AppDecoder.decode($0, in: context) } ?? []
    }

    /// Reads every `.yaml` and `.yml` file of the directory, in the order of their names; other files, such as secrets,
    /// are left alone.
    static func decodeDirectory(_ node: YAMLNode, in context: DecodingContext) -> [DecodedApp] {
        guard let written = context.text(node, "write the path of a directory") else { return [] }
        let directory = context.file.resolve(written)
        do {
            return try FileSystem.names(in: directory)
                .filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
                .enumerated().flatMap { index, name in
                    let file = SourceFile(
                        name: "\(directory)/\(name)", directory: directory, role: .apps, rank: index + 1)
                    return decode(file, namedAt: node.mark, in: context)
                }
        } catch {
            context.error(
                at: node.mark, "the directory \(directory) cannot be read: \(error.reason)",
                "name a directory of files that each hold apps")
            return []
        }
    }

    private static func decode(_ file: SourceFile, namedAt mark: Mark, in context: DecodingContext) -> [DecodedApp] {
        do {
            let contents = try FileSystem.read(file.name, maximum: ConfigurationDecoder.maximumSize)
            let context = DecodingContext(
                file: file, log: context.log, looksAtMachine: context.looksAtMachine)
            guard let root = context.tree(of: contents.bytes) else { return [] }
            guard let reader = MappingReader<FileKey>(root, in: context) else { return [] }
            return reader.required(.apps, "a file of apps_directory holds apps only").map { decode($0, in: context) }
                ?? []
        } catch {
            context.error(at: mark, "\(file.name) cannot be read: \(error.reason)", "make it readable, or remove it")
            return []
        }
    }
}
