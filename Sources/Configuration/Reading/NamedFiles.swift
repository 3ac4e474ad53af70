internal import SwitchyardCrypto
internal import SwitchyardFiles

/// A file that is being read: its name, the base of its relative paths, and its permissions.
final class SourceFile: Sendable {
    enum Role: Sendable {
        /// The file that the operator wrote: it may name environment variables and files anywhere.
        case main(environment: [String: String])
        /// A team's file in `apps_directory`, or one of an agent's: no environment, secrets from beside itself.
        case apps(TeamDirectory)
        /// A file of apps to register with a desktop. Its values end in world-readable files, so environment variables
        /// are ignored.
        case registration
    }

    let name: String
    let directory: String
    let role: Role
    /// Its place among the files that are read, from 0: the order of the diagnostics.
    let rank: Int
    /// For the main file of an agent; nil for that of a gateway.
    let agent: AgentPlaces?

    init(name: String, directory: String, role: Role, rank: Int = 0, agent: AgentPlaces? = nil) {
        self.name = name
        self.directory = directory
        self.role = role
        self.rank = rank
        self.agent = agent
    }

    /// `path` as this file means it: relative paths start at the file's own directory.
    func resolve(_ path: String) -> String {
        path.hasPrefix("/") || directory.isEmpty ? path : "\(directory)/\(path)"
    }
}

extension DecodingContext {
    /// The secret in the file that `node` names, without the line break that editors leave at the end.
    func secretFile(_ node: YAMLNode) -> Secret? {
        guard let (path, contents) = secretContents(node) else { return nil }
        var bytes = contents[...]
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard !bytes.isEmpty else {
            error(at: node.mark, "the file \(path) is empty", "write the secret into it")
            return nil
        }
        return Secret(Array(bytes))
    }

    /// All of the file of secrets that `node` names.
    func secretContents(_ node: YAMLNode) -> (path: String, bytes: [UInt8])? {
        guard let (path, contents) = contents(node, maximum: Self.maximumSecretSize) else { return nil }
        warnIfPublic(contents, path, at: node.mark)
        return (path, contents.bytes)
    }

    static let maximumPEMSize = 1 << 20
    private static let maximumSecretSize = 64 << 10

    /// The file that `node` names, with its path for messages. A team's file reaches no other directory than its own.
    func contents(
        _ node: YAMLNode, maximum: Int, _ remedy: String = "write the path of a file"
    ) -> (path: String, contents: FileSystem.Contents)? {
        guard let written = text(node, remedy) else { return nil }
        let path = file.resolve(written)
        do throws(FileSystem.Failure) {
            let contents: FileSystem.Contents
            files.note(path, nil)
            switch file.role {
            case .main, .registration: contents = try FileSystem.read(path, maximum: maximum)
            case .apps(let team):
                guard OpenDirectory.isBelow(written) else {
                    error(
                        at: node.mark, "\"\(written)\" is not beside this file",
                        "a file of apps_directory takes secrets and certificates only from its own directory: write the "
                            + "name of a file there, or NAME/FILE for one in a folder there")
                    return nil
                }
                contents = try team.read(written, maximum: maximum)
            }
            files.note(path, contents.mark)
            return (path, contents)
        } catch {
            let remedy = error.remedy ?? (error.isDenied ? ReadAdvice.remedy(for: path) : nil) ?? remedyForFiles
            self.error(at: node.mark, "the file \(path) cannot be read: \(error.reason)", remedy)
            return nil
        }
    }

    private var remedyForFiles: String {
        switch file.role {
        case .main, .registration:
            "name a file that this user can read; a relative path starts at the directory of this file"
        case .apps: "name a plain file beside this one, of the same owner, that this user can read"
        }
    }

    func warnIfPublic(_ contents: FileSystem.Contents, _ path: String, at mark: Mark) {
        files.note(secret: path)
        guard contents.permissions.isWorldReadable, !ReadAdvice.isShutOff(path) else { return }
        warning(
            at: mark, "everybody on this machine can read \(path)",
            "take that away: \(ReadAdvice.command(for: path, owner: contents.owner))")
    }
}
