internal import SwitchyardFiles
internal import SwitchyardRouting

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

    /// Reads every `.yaml` and `.yml` file of the directory, in the order of their names. Ignores other files, such as
    /// secrets.
    ///
    /// The directory is opened once, and its files are opened from there, because teams may write in it while it is
    /// read.
    func decodeDirectory(_ node: YAMLNode, in context: DecodingContext) -> [DecodedApp] {
        guard let written = context.text(node, "write the path of a directory") else { return [] }
        let path = context.file.resolve(written)
        do throws(FileSystem.Failure) {
            context.files.note(path, nil)
            let directory = try OpenDirectory(path)
            context.files.note(path, try directory.mark())
            guard !directory.permissions.isWorldWritable || directory.isReadOnly else {
                context.error(
                    at: node.mark, "everybody on this machine can put apps into \(path)",
                    "take that away: chmod o-w \(ShellWord.quoted(path))")
                return []
            }
            let names = try directory.namesOfApps()
            let teams = TeamNames(names)
            return names.enumerated().flatMap { index, name -> [DecodedApp] in
                let path = "\(directory.path)/\(name)"
                if context.leftOut.contains(path) { return [] }
                if let earlier = context.choices.earlier[path] {
                    let file = SourceFile(
                        name: path, directory: directory.path, role: context.file.role, rank: index + 1)
                    return apps(earlier, of: context.reading(file))
                }
                return decode(name, of: directory, teams, rank: index + 1, in: context)
            }
        } catch {
            context.error(
                at: node.mark, "the directory \(path) cannot be read: \(error.reason)",
                "name a directory of files that each hold apps")
            return []
        }
    }

    /// The apps of a file's last good version. The issuers may be others by now.
    private func apps(_ earlier: ArraySlice<AppRegistration>, of context: DecodingContext) -> [DecodedApp] {
        earlier.map { app in
            if let issuerNames, !issuerNames.contains(app.issuer), !app.takesAnyIssuer {
                context.error(
                    at: .start, "unknown issuer \"\(app.issuer)\"", "name one of the issuers of the main file")
            }
            return DecodedApp(earlier: app, of: context.file)
        }
    }

    private func decode(
        _ name: String, of directory: OpenDirectory, _ teams: TeamNames, rank: Int, in context: DecodingContext
    ) -> [DecodedApp] {
        let path = "\(directory.path)/\(name)"
        do throws(FileSystem.Failure) {
            context.files.note(path, nil)
            let contents = try directory.read(name, maximum: MainFile.maximumSize).contents
            context.files.note(path, contents.mark)
            if let fault = TeamDirectory.fault(ofAny: contents, path) { throw fault }
            let team = TeamDirectory(directory, file: name, owner: contents.owner, among: teams)
            let file = SourceFile(name: path, directory: directory.path, role: .apps(team), rank: rank)
            let context = context.reading(file)
            guard let root = context.tree(of: contents.bytes) else { return [] }
            guard let reader = MappingReader<FileKey>(root, in: context) else { return [] }
            return reader.required(.apps, "a file of apps_directory holds apps only").map { decode($0, in: context) }
                ?? []
        } catch {
            let file = SourceFile(name: path, directory: directory.path, role: context.file.role, rank: rank)
            let remedy = error.remedy ?? (error.isDenied ? ReadAdvice.remedy(for: path) : nil)
            context.reading(file).error(
                at: .start, "it cannot be read: \(error.reason)",
                remedy ?? "make it a plain file that only its owner can change and this user can read, or remove it")
            return []
        }
    }
}
