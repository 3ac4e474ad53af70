internal import Glibc
internal import SwitchyardCrypto

/// A file that is being read: what it is called, what its relative paths start from, and what it may do.
final class SourceFile: Sendable {
    enum Role: Sendable {
        /// The file that the operator wrote: it may name environment variables and files anywhere.
        case main(environment: [String: String])
        /// A team's file in `apps_directory`, or one of an agent's: no environment, secrets from beside itself.
        case apps(TeamDirectory)
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

/// Where a team's file takes secrets from: the directory that it is in, and of the files there those
/// that are its team's.
struct TeamDirectory: Sendable {
    let directory: OpenDirectory
    /// The owner of the team's file.
    let owner: UInt32
    /// Root, and who runs the gateway: what they put there is meant to be there.
    private let operators: Set<UInt32>

    init(_ directory: OpenDirectory, owner: UInt32, operators: Set<UInt32> = [0, geteuid()]) {
        self.directory = directory
        self.owner = owner
        self.operators = operators
    }

    /// Whether the file is an operator's own, who might as well have written it into the main one.
    var isOperators: Bool { operators.contains(owner) }

    /// Reads the file beside the team's own, and judges the one that was opened.
    func read(_ name: String, maximum: Int) throws(FileSystem.Failure) -> FileSystem.Contents {
        let contents = try directory.read(name, maximum: maximum)
        if let fault = fault(of: contents) { throw FileSystem.Failure(reason: fault) }
        return contents
    }

    /// Why a file beside the team's is none that it may use; nil when it may.
    func fault(of contents: FileSystem.Contents) -> String? {
        if let fault = Self.fault(ofAny: contents) { return fault }
        guard operators.contains(owner) || contents.owner == owner || operators.contains(contents.owner) else {
            return "it belongs to another user (\(contents.owner)) than this file (\(owner))"
        }
        return nil
    }

    /// Why a file of `apps_directory`, whosever it is, cannot be believed; nil when it can.
    static func fault(ofAny contents: FileSystem.Contents) -> String? {
        // Who may write into a directory can give another one's file a name there without being able to read it.
        if contents.hasOtherNames { return "it has another name too (a hard link), so it may be somebody else's" }
        return contents.isWorldWritable ? "everybody on this machine can change it" : nil
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
            case .main: contents = try FileSystem.read(path, maximum: maximum)
            case .apps(let team):
                guard OpenDirectory.isBareName(written) else {
                    error(
                        at: node.mark, "\"\(written)\" is not beside this file",
                        "a file of apps_directory takes secrets and certificates only from its own directory: write the "
                            + "bare name of a file there")
                    return nil
                }
                contents = try team.read(written, maximum: maximum)
            }
            files.note(path, contents.mark)
            return (path, contents)
        } catch {
            self.error(at: node.mark, "the file \(path) cannot be read: \(error.reason)", remedyForFiles)
            return nil
        }
    }

    private var remedyForFiles: String {
        switch file.role {
        case .main: "name a file that this user can read; a relative path starts at the directory of this file"
        case .apps: "name a plain file beside this one, of the same owner, that this user can read"
        }
    }

    func warnIfPublic(_ contents: FileSystem.Contents, _ path: String, at mark: Mark) {
        files.note(secret: path)
        guard contents.isWorldReadable else { return }
        warning(at: mark, "everybody on this machine can read \(path)", "take that away: chmod o-r \(path)")
    }
}
