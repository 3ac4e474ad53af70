internal import Glibc
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
        /// With the ID that it says it has, where only Flatpak writes.
        case flatpak(String)
        /// The label that the kernel confines it by: `snap.NAME.APP`.
        case snap(String)
    }

    /// nil where the kernel does not show it.
    var executable: File?
    /// By which the desktop started it; empty for a program of a terminal.
    var desktopID: String?
    var sandbox: Sandbox?

    /// nil when the process has ended meanwhile: its number may be another one's by now.
    init?(_ process: PeerProcess) {
        let folder = "/proc/\(process.id)"
        executable = File(following: "\(folder)/exe")
        desktopID = Self.text("\(folder)/cgroup", maximum: 64 << 10).flatMap {
            DesktopUnit.desktopID(ofControlGroup: $0, uid: process.uid)
        }
        sandbox =
            Self.flatpak(root: "\(folder)/root")
            ?? Self.text("\(folder)/attr/current", maximum: 4096).flatMap { Self.snap(label: $0) }
        guard process.isAlive else { return nil }
    }

    init(executable: File? = nil, desktopID: String? = nil, sandbox: Sandbox? = nil) {
        self.executable = executable
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
        case nil: desktopID.map { [$0] } ?? []
        }
    }

    /// Flatpak puts the file there, and what runs in it cannot change it.
    private static func flatpak(root: String) -> Sandbox? {
        guard let text = text("\(root)/.flatpak-info", maximum: 64 << 10) else { return nil }
        var isOfApplication = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("[") {
                isOfApplication = line == "[Application]" || line == "[Runtime]"
            } else if isOfApplication, line.hasPrefix("name=") {
                return .flatpak(String(line.dropFirst("name=".count)))
            }
        }
        return .flatpak("")
    }

    /// `snap.NAME.APP (enforce)`, as AppArmor writes it.
    static func snap(label: String) -> Sandbox? {
        let name = label.prefix { $0 != " " && $0 != "\n" && $0 != "\0" }
        return name.hasPrefix("snap.") ? .snap(String(name)) : nil
    }

    /// A small file that another process may have made: it is not waited for, and no link is followed.
    private static func text(_ path: String, maximum: Int) -> String? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes = [UInt8](repeating: 0, count: maximum)
        var count = 0
        while count < maximum {
            let more = unsafe bytes.withUnsafeMutableBytes {
                unsafe read(descriptor, $0.baseAddress?.advanced(by: count), maximum - count)
            }
            guard more > 0 else { break }
            count += more
        }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
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
    /// Why a program may not; nil where it may.
    func refusal(of program: PeerProcess?) -> String? {
        guard let program, let identity = ProgramIdentity(program) else { return "it has ended" }
        return refusal(of: identity) { ProgramIdentity.File(following: $0) }
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
