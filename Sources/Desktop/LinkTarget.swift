internal import SwitchyardFiles

/// The target of a symbolic link, found step by step, so that only this user and root can have chosen the way. People
/// keep their lists in a folder of their own and link to them.
struct LinkTarget {
    let folder: GuardedFolder
    let name: String

    private static let maximumLinks = 16

    /// - Parameter path: of the link, absolute.
    /// - Throws: for a way that another user could change, and for what is no plain file of this user's at its end.
    init(of path: String) throws(GuardedFolder.Problem) {
        var rest = Self.components(path)
        var place: [String] = []
        var links = 0
        try Self.check(folder: "/", of: path)
        while let next = rest.popLast() {
            if next == ".." {
                _ = place.popLast()
                continue
            }
            let here = Self.path(place + [next])
            guard let status = try? FileStatus(ofLinkAt: here) else {
                throw Self.refusal(path, "\(here) is not there")
            }
            guard status.permissions.isOwnOrRoots else {
                throw Self.refusal(path, "\(here) belongs to another user")
            }
            switch status.kind {
            case .link:
                links += 1
                guard links <= Self.maximumLinks, let target = FilePath.target(ofLink: here) else {
                    throw Self.refusal(path, "\(here) cannot be followed")
                }
                if target.hasPrefix("/") { place = [] }
                rest += Self.components(target)
            case .folder:
                try Self.check(folder: here, of: path)
                place.append(next)
            case .regular where rest.isEmpty && status.permissions.isOwn:
                guard let folder = try GuardedFolder.open(Self.path(place)) else {
                    throw Self.refusal(path, "\(Self.path(place)) is not there")
                }
                self.folder = folder
                name = next
                return
            default: throw Self.refusal(path, "\(here) is no plain file of this user")
            }
        }
        throw Self.refusal(path, "it leads to a folder")
    }

    /// Refuses a folder that other users may write into, since they could lead the way elsewhere. In a folder like
    /// /tmp, only entries of this user or of root count.
    private static func check(folder: String, of path: String) throws(GuardedFolder.Problem) {
        guard let permissions = try? FileStatus(ofLinkAt: folder).permissions, permissions.isOwnOrRoots,
            permissions.keepsNames
        else { throw refusal(path, "other users can write into \(folder); chmod go-w \(folder)") }
    }

    private static func refusal(_ path: String, _ reason: String) -> GuardedFolder.Problem {
        GuardedFolder.Problem(
            description: "\(path) is a symbolic link that is not followed: \(reason); or put a plain file in its place")
    }

    /// The last one first.
    private static func components(_ path: String) -> [String] {
        path.split(separator: "/").filter { $0 != "." }.map(String.init).reversed()
    }

    private static func path(_ components: [String]) -> String { "/" + components.joined(separator: "/") }
}
