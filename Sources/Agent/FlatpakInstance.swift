internal import Glibc
internal import SwitchyardJSON
internal import SwitchyardText

/// A running sandbox, as Flatpak describes it where the sandbox does not reach: `$XDG_RUNTIME_DIR/.flatpak/INSTANCE`.
struct FlatpakInstance {
    /// The application's ID.
    let name: String
    /// The name space of its processes, by number.
    let processSpace: UInt64

    /// Where Flatpak keeps what it knows of those that run.
    static var folder: String {
        let folder = unsafe getenv("XDG_RUNTIME_DIR").map { unsafe String(cString: $0) } ?? ""
        return (folder.isEmpty ? "/run/user/\(geteuid())" : folder) + "/.flatpak"
    }

    /// The sandbox that a process says it is in; nil where none of that number runs.
    /// - Parameter text: its `/.flatpak-info`. Only the number of the instance counts.
    init?(claimedBy text: String, in folder: String) {
        guard let number = Self.value(of: "instance-id", in: "[Instance]", text), number.utf8.count <= 20,
            number.allBytes(ASCII.isDigit)
        else { return nil }
        let instance = "\(folder)/\(number)"
        guard let info = SmallFile.text("\(instance)/info", maximum: 64 << 10),
            let name = Self.value(of: "name", in: "[Application]", info), !name.isEmpty,
            let json = SmallFile.text("\(instance)/bwrapinfo.json", maximum: 4096),
            let object = (try? JSONValue.parse(Array(json.utf8)))?.object,
            let space = object["pid-namespace"]?.integer.map({ UInt64(clamping: $0) })
        else { return nil }
        // Its folder stays for a while after its end, when the kernel may give the number of its name space to another.
        let first = object["child-pid"]?.integer.flatMap { ProgramIdentity.File(following: "/proc/\($0)/ns/pid") }
        guard first?.number == space || SmallFile.isLocked("\(instance)/.ref") else { return nil }
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

/// A small file that another process may have made: it is not waited for, and no link is followed.
enum SmallFile {
    /// Whether another process holds a lock on it.
    static func isLocked(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        return unsafe fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }

    /// nil for what is none.
    static func text(_ path: String, maximum: Int) -> String? {
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
