internal import SwitchyardCrypto
internal import SwitchyardFiles

/// The kernel that holds the key of a sealed file: its machine, its boot, and the user namespace, since each has
/// keyrings of its own (keyrings(7)). It tells a lost key from one that is only invisible from here.
struct KeyHome: Equatable {
    /// Derived from machine-id(5), which stays private.
    let machine: String
    let boot: String
    let userNamespace: String

    /// Words for a line, which are parted by blanks.
    var words: [String] { [machine, boot, userNamespace] }

    static let here: KeyHome = {
        let machine = firstWord(of: "/etc/machine-id")
        let digest = SHA256Digest(of: Array("switchyard tokens: which machine? \(machine)".utf8))
        let namespace = try? FileStatus(at: "/proc/self/ns/user")
        return KeyHome(
            machine: Base64URL.encode(Array(digest.bytes.prefix(12))),
            boot: firstWord(of: "/proc/sys/kernel/random/boot_id"),
            userNamespace: namespace.map { "\($0.identity.inode)" } ?? "-")
    }()

    init(machine: String, boot: String, userNamespace: String) {
        self.machine = machine
        self.boot = boot
        self.userNamespace = userNamespace
    }

    /// nil for anything else than words of one.
    init?(words: [Substring]) {
        guard words.count == 3 else { return nil }
        self.init(machine: String(words[0]), boot: String(words[1]), userNamespace: String(words[2]))
    }

    /// Whether a key that is not found here is gone for good: this is where it was, or the machine has restarted since.
    var hasLostWhatIsNotFound: Bool {
        let here = Self.here
        return boot == here.boot ? userNamespace == here.userNamespace : machine == here.machine
    }

    /// `-` for a file that cannot be read, as in some containers.
    private static func firstWord(of path: String) -> String {
        let text = SmallFile.text(path, maximum: 4096)
        return text?.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? "-"
    }
}
