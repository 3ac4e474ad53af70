/// The `apps:` list, and the files of `apps_directory:`.
struct AppsSection {
    /// The names of the issuers; nil where they could not be read, so that no app is blamed for it.
    let issuerNames: Set<String>?

    /// The keys of a file in `apps_directory`.
    private enum FileKey: String, ConfigurationKey {
        case apps
    }

    func decode(_ node: YAMLNode, in context: DecodingContext) -> [DecodedApp] {
        context.list(node) { AppDecoder.decode($0, in: context, issuerNames: issuerNames) } ?? []
    }

    /// Reads every `.yaml` and `.yml` file of the directory, in the order of their names; other files, such as secrets,
    /// are left alone.
    ///
    /// The directory is opened once, and what is in it from there: teams may write in it while it is read.
    func decodeDirectory(_ node: YAMLNode, in context: DecodingContext) -> [DecodedApp] {
        guard let written = context.text(node, "write the path of a directory") else { return [] }
        let path = context.file.resolve(written)
        do throws(FileSystem.Failure) {
            context.files.note(path, nil)
            let directory = try OpenDirectory(path)
            context.files.note(path, try directory.mark())
            guard !directory.isWorldWritable else {
                context.error(
                    at: node.mark, "everybody on this machine can put apps into \(path)",
                    "take that away: chmod o-w \(path)")
                return []
            }
            return try directory.namesOfApps().enumerated().flatMap { index, name in
                decode(name, of: directory, rank: index + 1, namedAt: node.mark, in: context)
            }
        } catch {
            context.error(
                at: node.mark, "the directory \(path) cannot be read: \(error.reason)",
                "name a directory of files that each hold apps")
            return []
        }
    }

    private func decode(
        _ name: String, of directory: OpenDirectory, rank: Int, namedAt mark: Mark, in context: DecodingContext
    ) -> [DecodedApp] {
        let path = "\(directory.path)/\(name)"
        do throws(FileSystem.Failure) {
            context.files.note(path, nil)
            let contents = try directory.read(name, maximum: MainFile.maximumSize)
            context.files.note(path, contents.mark)
            if let fault = TeamDirectory.fault(ofAny: contents) { throw FileSystem.Failure(reason: fault) }
            let file = SourceFile(
                name: path, directory: directory.path,
                role: .apps(TeamDirectory(directory, owner: contents.owner)), rank: rank)
            let context = context.reading(file)
            guard let root = context.tree(of: contents.bytes) else { return [] }
            guard let reader = MappingReader<FileKey>(root, in: context) else { return [] }
            return reader.required(.apps, "a file of apps_directory holds apps only").map { decode($0, in: context) }
                ?? []
        } catch {
            context.error(
                at: mark, "\(path) cannot be read: \(error.reason)",
                "make it a plain file that only its team can change and this user can read, or remove it")
            return []
        }
    }
}
