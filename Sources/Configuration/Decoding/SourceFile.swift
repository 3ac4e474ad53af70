/// A file that is being read: what it is called, what its relative paths start from, and what it may do.
final class SourceFile: Sendable {
    enum Role: Sendable {
        /// The file that the operator wrote: it may name environment variables and files anywhere.
        case main(environment: [String: String])
        /// A team's file in `apps_directory`: apps only, no environment, secrets from beside itself.
        case apps
    }

    let name: String
    let directory: String
    let role: Role
    /// Its place among the files that are read, from 0: the order of the diagnostics.
    let rank: Int

    init(name: String, directory: String, role: Role, rank: Int = 0) {
        self.name = name
        self.directory = directory
        self.role = role
        self.rank = rank
    }

    /// `path` as this file means it: relative paths start at the file's own directory.
    func resolve(_ path: String) -> String {
        path.hasPrefix("/") || directory.isEmpty ? path : "\(directory)/\(path)"
    }
}
