internal import Glibc
internal import SwitchyardJSON
internal import SwitchyardText

/// A running sandbox, as Flatpak describes it where the sandbox does not reach: `$XDG_RUNTIME_DIR/.flatpak/INSTANCE`.
struct FlatpakInstance {
    /// The application's ID.
    let name: String
    /// The name space of its processes, by number.
    let processSpace: UInt64

    /// The folder in which Flatpak describes its running instances.
    static var folder: String {
        let folder = unsafe getenv("XDG_RUNTIME_DIR").map { unsafe String(cString: $0) } ?? ""
        return (folder.isEmpty ? "/run/user/\(geteuid())" : folder) + "/.flatpak"
    }

    /// The sandbox that a process claims to be in; nil if no sandbox of that number runs.
    /// - Parameters:
    ///   - text: its `/.flatpak-info`. Only the number of the instance counts.
    ///   - mounts: those of this process. A folder that a program answers for is not trusted.
    init?(claimedBy text: String, in folder: String, mounts: MountTable) {
        guard let number = Self.value(of: "instance-id", in: "[Instance]", text), number.utf8.count <= 20,
            number.allBytes(ASCII.isDigit)
        else { return nil }
        let root = FilePointer.root(of: "/proc/self")
        func file(_ name: String) -> FilePointer? { root?.walk(to: "\(folder)/\(number)/\(name)", mounts.mayAsk) }
        guard let info = file("info")?.text(maximum: 64 << 10),
            let name = Self.value(of: "name", in: "[Application]", info), !name.isEmpty,
            let json = file("bwrapinfo.json")?.text(maximum: 4096),
            let object = (try? JSONValue.parse(Array(json.utf8)))?.object,
            let space = object["pid-namespace"]?.integer.map({ UInt64(clamping: $0) })
        else { return nil }
        // Its folder stays for a while after its end, when the kernel may give the number of its name space to another.
        let first = object["child-pid"]?.integer.flatMap { FileIdentity(link: "/proc/\($0)/ns/pid") }
        guard first?.number == space || file(".ref")?.isLocked == true else { return nil }
        self.name = name
        processSpace = space
    }

    /// In a file of the desktop's kind: groups in brackets, and below each its keys.
    private static func value(of key: String, in group: String, _ text: String) -> String? {
        var isInGroup = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("[") {
                isInGroup = line == group
            } else if isInGroup, line.hasPrefix("\(key)=") {
                return String(line.dropFirst(key.count + 1))
            }
        }
        return nil
    }
}
