internal import Glibc
internal import SwitchyardGateway
internal import SwitchyardOAuth
internal import SwitchyardReactor
internal import SwitchyardRouting

/// What the kernel says of a program: the file that it runs, and what the desktop started it as.
///
/// This keeps programs in sandboxes apart, and those that ask by mistake. Another program of the same user can make itself look
/// like any: it may begin one and use it (ptrace), or pass its connection to it.
struct ProgramIdentity: Equatable {
    /// A file, whatever it is called.
    struct File: Hashable {
        let device: UInt64
        let number: UInt64
    }

    enum Sandbox: Equatable {
        /// With its ID, as Flatpak wrote it outside of the sandbox.
        case flatpak(String)
        /// The label that the kernel confines it by: `snap.NAME.APP`.
        case snap(String)
        /// One that says it is Flatpak's and is not: a container, or a root of the program's own choice.
        case unknown
    }

    /// nil where the kernel does not show it.
    var executable: File?
    /// For people; nil where the kernel does not show it.
    var path: String?
    /// By which the desktop started it; empty for a program of a terminal.
    var desktopID: String?
    var sandbox: Sandbox?

    /// nil when the process has ended meanwhile: its number may be another one's by now.
    /// - Parameter sandboxes: where Flatpak keeps what it knows of those that run.
    init?(_ process: PeerProcess, sandboxes: String = FlatpakInstance.folder) {
        let folder = "/proc/\(process.id)"
        executable = File(following: "\(folder)/exe")
        path = Self.target(ofLink: "\(folder)/exe")
        desktopID = SmallFile.text("\(folder)/cgroup", maximum: 64 << 10).flatMap {
            DesktopUnit.desktopID(ofControlGroup: $0, uid: process.uid)
        }
        sandbox =
            Self.flatpak(process: folder, sandboxes: sandboxes)
            ?? SmallFile.text("\(folder)/attr/current", maximum: 4096).flatMap { Self.snap(label: $0) }
        guard process.isAlive else { return nil }
    }

    init(executable: File? = nil, path: String? = nil, desktopID: String? = nil, sandbox: Sandbox? = nil) {
        self.executable = executable
        self.path = path
        self.desktopID = desktopID
        self.sandbox = sandbox
    }

    /// The names by which a list of desktop IDs may know it. A sandbox counts alone: nothing else of what is in it is known.
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

    /// As what it was seen, for who asks why it may not.
    var seen: String {
        // Names are whoever's who chose them.
        func clean(_ name: String) -> String { IssuerText(name).text }
        return switch sandbox {
        case .flatpak(let id): "the Flatpak \(clean(id))"
        case .snap(let label): "the snap \(clean(label))"
        case .unknown: "a program in a container or under a root of its own"
        case nil:
            (path.map(clean) ?? "a program of which the kernel shows no file")
                + (desktopID.map { ", started as \(clean($0))" } ?? "")
        }
    }

    /// What Flatpak wrote of the sandbox that a process is in; nil for a process without `/.flatpak-info`.
    ///
    /// That file alone proves nothing: whoever chooses a process's root puts it there. So the process has to be in the
    /// very name space of processes that Flatpak made for the instance, and the name is the one that is written outside.
    static func flatpak(process folder: String, sandboxes: String) -> Sandbox? {
        guard let text = SmallFile.text("\(folder)/root/.flatpak-info", maximum: 64 << 10) else { return nil }
        guard let space = File(following: "\(folder)/ns/pid"),
            let instance = FlatpakInstance(claimedBy: text, in: sandboxes), instance.processSpace == space.number
        else { return .unknown }
        return .flatpak(instance.name)
    }

    private static func target(ofLink path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    /// `snap.NAME.APP (enforce)`, as AppArmor writes it.
    static func snap(label: String) -> Sandbox? {
        let name = label.prefix { $0 != " " && $0 != "\n" && $0 != "\0" }
        return name.hasPrefix("snap.") ? .snap(String(name)) : nil
    }
}

extension ProgramIdentity.File {
    /// nil for what is not there.
    init?(following path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }
}

extension UseFrom {
    /// Why a program may not, and as what it was seen; nil where it may.
    func refusal(of program: PeerProcess?) -> ProgramRefusal? {
        guard let program, let identity = ProgramIdentity(program) else {
            return ProgramRefusal(program: "a program that has ended", reason: "nobody knows any more what it was")
        }
        return refusal(of: identity) { ProgramIdentity.File(following: $0) }
            .map { ProgramRefusal(program: identity.seen, reason: $0) }
    }

    /// - Parameter file: what is at a path.
    func refusal(of program: ProgramIdentity, file: (String) -> ProgramIdentity.File?) -> String? {
        if !desktopIDs.isEmpty, program.desktopIDs.contains(where: desktopIDs.contains) { return nil }
        if program.sandbox != nil { return "it runs in a sandbox that desktop_ids does not name" }
        guard let own = program.executable else { return "the kernel does not show which file it runs" }
        if executables.contains(where: { file($0) == own }) { return nil }
        return "neither executables nor desktop_ids names it"
    }
}
