internal import Glibc
internal import SwitchyardFiles

/// The names of the team files of `apps_directory`, without `.yaml` and `.yml`: a secret that an operator puts beside them belongs
/// to the team that its name or its folder names.
struct TeamNames: Sendable {
    /// How many files have the name; two, `mail.yaml` and `mail.yml`, cannot be told apart.
    private let counts: [String: Int]

    init(_ files: [String] = []) {
        counts = Dictionary(files.map { (Self.team(of: $0), 1) }, uniquingKeysWith: +)
    }

    static func team(of file: String) -> String {
        file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
    }

    /// The team that a file below the directory is for, by its folder, else by the longest name that its own name begins with.
    /// - Parameter names: of the folders below the directory, and of the file.
    func team(of names: [String]) -> String? {
        // Kubernetes keeps the files of a volume in a folder with a name that begins with two dots.
        let visible = names.drop { $0.hasPrefix("..") }
        guard let first = visible.first, let file = visible.last else { return nil }
        if visible.count > 1, let count = counts[first] { return count == 1 ? first : nil }
        var rest = file[...]
        while let dot = rest.lastIndex(of: ".") {
            rest = rest[..<dot]
            if let count = counts[String(rest)] { return count == 1 ? String(rest) : nil }
        }
        return nil
    }
}

/// The directory from which a team's file takes secrets, and the rule which files there the team may use.
struct TeamDirectory: Sendable {
    let directory: OpenDirectory
    /// The name of the team's file.
    private let file: String
    /// The owner of the team's file.
    let owner: UInt32
    private let teams: TeamNames
    /// Root and the user that runs the gateway.
    private let operators: Set<UInt32>

    init(
        _ directory: OpenDirectory, file: String, owner: UInt32, among teams: TeamNames = TeamNames(),
        operators: Set<UInt32> = [0, geteuid()]
    ) {
        self.directory = directory
        self.file = file
        self.owner = owner
        self.teams = teams
        self.operators = operators
    }

    /// Whether the file belongs to an operator, so it may hold the same as the main one.
    var isOperators: Bool { operators.contains(owner) }

    /// Reads a file below the directory, and checks the file that was opened.
    func read(_ path: String, maximum: Int) throws(FileSystem.Failure) -> FileSystem.Contents {
        let found = try directory.read(path, maximum: maximum)
        if let fault = fault(of: found) { throw fault }
        return found.contents
    }

    /// The reason why the team may not use a file; nil when it may.
    func fault(of found: OpenDirectory.Found) -> FileSystem.Failure? {
        let path = "\(directory.path)/\(found.names.joined(separator: "/"))"
        if let fault = Self.fault(ofAny: found.contents, path) { return fault }
        if isOperators || found.contents.owner == owner { return nil }
        guard operators.contains(found.contents.owner) else {
            return FileSystem.Failure(
                reason: "it belongs to another user (\(found.contents.owner)) than this file (\(owner))")
        }
        let team = TeamNames.team(of: file)
        let isNamed = teams.team(of: found.names) == team
        if isNamed, found.folders.allSatisfy({ keepsNames($0) }) || directory.isReadOnly { return nil }
        if isReadableByOwner(found) { return nil }
        guard !isNamed else {
            return FileSystem.Failure(
                reason: "others than an operator can rename files in its folder, so its name does not say whose it is",
                remedy:
                    "let the folder belong to root, and take that away: chmod +t \(ShellWord.quoted(directory.path))")
        }
        return FileSystem.Failure(
            reason: "an operator put it there, and neither its name nor its folder says that it is for \(file)",
            remedy:
                "call it \(team).\(found.names.last ?? "") or move it into the folder \(team)/, if this team may have it"
        )
    }

    private func keepsNames(_ folder: FilePermissions) -> Bool {
        operators.contains(folder.owner) && folder.keepsNames
    }

    /// Whether the owner of the team's file could read the file without this gateway: by the bits of the file and of every folder on
    /// the way to it. A folder that cannot be looked at lets no user through.
    private func isReadableByOwner(_ found: OpenDirectory.Found) -> Bool {
        let user = MachineUser(number: owner)
        guard found.contents.permissions.allow(user, 4), found.folders.allSatisfy({ $0.allow(user, 1) }),
            let above = directory.foldersAbove()
        else { return false }
        return above.allSatisfy { $0.allow(user, 1) }
    }

    /// The reason why a file of `apps_directory` or of an agent's folder is refused for any owner; nil if it is accepted.
    static func fault(ofAny contents: FileSystem.Contents, _ path: String) -> FileSystem.Failure? {
        // A user that may write into a directory can link another user's file there without being able to read it.
        if contents.hasOtherNames {
            return FileSystem.Failure(reason: "it has another name too (a hard link), so it may be somebody else's")
        }
        return FileSystem.Failure(otherWriters: contents.permissions, path, "change it")
    }
}
