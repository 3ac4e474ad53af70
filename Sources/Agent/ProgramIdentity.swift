internal import Glibc
internal import SwitchyardFiles
internal import SwitchyardGateway
internal import SwitchyardOAuth
internal import SwitchyardReactor
internal import SwitchyardRouting

/// A program as the kernel shows it: the file that it runs, and its desktop ID.
///
/// This separates programs in sandboxes, and programs that ask by mistake. It does not stop another program of the same
/// user: that can use any program by ptrace, or pass its connection to it.
struct ProgramIdentity: Equatable {
    enum Sandbox: Hashable {
        /// With its ID, as Flatpak wrote it outside of the sandbox.
        case flatpak(String)
        /// The label that the kernel confines it by: `snap.NAME.APP`.
        case snap(String)
        /// A container, a root of the program's own choice, or a program with a hidden root or executable. A program
        /// hides them by one system call (`PR_SET_DUMPABLE`), or by the end of its first thread. Also a program with a
        /// list of mounts that is too long to be read (``MountTable/maximumForeign``).
        case unknown
    }

    /// nil where the kernel does not show it.
    var executable: FileIdentity?
    /// For people; nil where the kernel does not show it.
    var path: String?
    /// By which the desktop started it; empty for a program of a terminal.
    var desktopID: String?
    /// nil for a program that sees the same files as the agent.
    var sandbox: Sandbox?

    /// nil if the process has ended: its number may be another process's by now.
    /// - Parameter sandboxes: the folder in which Flatpak describes its running instances.
    init?(_ process: PeerProcess, sandboxes: String = FlatpakInstance.folder) {
        let folder = "/proc/\(process.id)"
        executable = FileIdentity(link: "\(folder)/exe")
        path = FilePath.target(ofLink: "\(folder)/exe")
        desktopID = SmallFile.text("\(folder)/cgroup", maximum: 64 << 10, followsLink: false).flatMap {
            DesktopUnit.desktopID(ofControlGroup: $0, uid: process.uid)
        }
        sandbox = executable == nil ? .unknown : Self.sandbox(of: folder, sandboxes: sandboxes)
        guard process.isAlive else { return nil }
    }

    init(executable: FileIdentity? = nil, path: String? = nil, desktopID: String? = nil, sandbox: Sandbox? = nil) {
        self.executable = executable
        self.path = path
        self.desktopID = desktopID
        self.sandbox = sandbox
    }

    /// The names by which a list of desktop IDs may know it. For a sandbox, only its own name counts: its contents are
    /// unknown.
    var desktopIDs: [String] {
        switch sandbox {
        case .flatpak(let id): [id]
        case .snap(let label):
            // snap.NAME.APP has the desktop file NAME_APP.desktop.
            [label.split(separator: ".").dropFirst().joined(separator: "_")]
        case .unknown: []
        case nil: desktopID.map { [$0] } ?? []
        }
    }

    /// The description of the program in a refusal.
    var seen: String {
        // Programs choose these names, so they are untrusted text.
        func clean(_ name: String) -> String { IssuerText(name).text }
        return switch sandbox {
        case .flatpak(let id): "the Flatpak \(clean(id))"
        case .snap(let label): "the snap \(clean(label))"
        case .unknown where executable == nil: "a program that the kernel hides"
        case .unknown: "a program in a container or under a root of its own"
        case nil:
            (path.map(clean) ?? "a program of which the kernel shows no file")
                + (desktopID.map { ", started as \(clean($0))" } ?? "")
        }
    }

    /// The program among those of its user: its sandbox, or else its file.
    var limitKey: String {
        switch sandbox {
        case .flatpak(let id): "flatpak \(id)"
        case .snap(let label): label
        case .unknown: "hidden"
        case nil: executable.map { "file \($0.device):\($0.number)" } ?? "hidden"
        }
    }

    /// The sandbox of a process; nil if its root and its users are the agent's own.
    ///
    /// A program outside of any sandbox has the agent's root and user name space. Every other program must be in a
    /// sandbox that has a name outside of itself, or it is unknown.
    static func sandbox(of folder: String, sandboxes: String) -> Sandbox? {
        let label = SmallFile.text("\(folder)/attr/current", maximum: 4096, followsLink: false).flatMap {
            snap(label: $0)
        }
        guard let root = FileIdentity(link: "\(folder)/root"), let users = FilePath.target(ofLink: "\(folder)/ns/user"),
            let ownRoot = FileIdentity(link: "/proc/self/root"),
            let ownUsers = FilePath.target(ofLink: "/proc/self/ns/user")
        else { return .unknown }
        if root == ownRoot, users == ownUsers { return label }
        guard let foreign = MountTable.foreign(folder) else { return .unknown }
        switch flatpak(process: folder, sandboxes: sandboxes, mounts: .own, foreign: foreign) {
        case nil: return label ?? .unknown
        case let sandbox?: return sandbox
        }
    }

    /// The Flatpak sandbox of a process; nil for a process without `/.flatpak-info`.
    ///
    /// That file alone is no proof, since the process may have chosen its root. So the process must be in the PID name
    /// space that Flatpak made for the instance, and the name is read from the file outside.
    /// - Parameters:
    ///   - mounts: those of this process.
    ///   - foreign: those of the other process.
    private static func flatpak(
        process folder: String, sandboxes: String, mounts: MountTable, foreign: MountTable
    ) -> Sandbox? {
        let claim = FilePointer.root(of: folder)?.walk(to: ".flatpak-info") {
            mounts.mayAsk($0) || foreign.mayAskForeign($0)
        }
        guard let text = claim?.text(maximum: 64 << 10) else { return nil }
        guard let space = FileIdentity(link: "\(folder)/ns/pid"),
            let instance = FlatpakInstance(claimedBy: text, in: sandboxes, mounts: mounts),
            instance.processSpace == space.number
        else { return .unknown }
        return .flatpak(instance.name)
    }

    /// `snap.NAME.APP (enforce)`, as AppArmor writes it.
    static func snap(label: String) -> Sandbox? {
        let name = label.prefix { $0 != " " && $0 != "\n" && $0 != "\0" }
        return name.hasPrefix("snap.") ? .snap(String(name)) : nil
    }
}

extension UseFrom {
    /// The reason why a program is refused; nil if it is not.
    func refusal(of program: ProgramIdentity) -> String? {
        lazy var mounts = MountTable.own
        return refusal(of: program) { FileIdentity(at: $0, mounts: mounts) }
    }

    /// - Parameter file: finds the file at a path.
    func refusal(of program: ProgramIdentity, file: (String) -> FileIdentity?) -> String? {
        if !desktopIDs.isEmpty, program.desktopIDs.contains(where: desktopIDs.contains) { return nil }
        guard let own = program.executable else {
            return "the kernel does not show which file it runs, as if it had switched that off (PR_SET_DUMPABLE)"
        }
        if program.sandbox != nil { return "it runs in a sandbox that desktop_ids does not name" }
        if executables.contains(where: { file($0) == own }) { return nil }
        return "neither executables nor desktop_ids names it"
    }
}
