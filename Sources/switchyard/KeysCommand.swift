internal import Glibc
internal import SwitchyardCrypto

/// `switchyard keys new`: a fresh encryption key.
struct KeysCommand: Command {
    static let name = "keys"
    static let summary = "make an encryption key"
    static let options: [Option] = [
        .file("file", "write it there; a file that is there already is left alone")
    ]
    static let operands = Operands.one("new", words: ["new"])
    static let help = Help(
        """
        Makes a key for encryption_keys, of 256 random bits: prints it, or writes it into a file that only you can read, in a \
        folder of a group you and that group.
        """,
        """
        To change keys without losing a sign-in: make a new one, put it in front of encryption_keys, `switchyard reload`. \
        What is new is sealed with it, what is older still opens. Take the old one out after twice request_lifetime, and reload. \
        With several gateways on one store, first give all of them the new key behind the old one, then move it in front.
        """,
        examples: ["switchyard keys new --file /etc/switchyard/keys/k2"])

    private let file: String?

    init(_ options: Options) throws {
        guard options.operand == "new" else {
            throw UsageError(message: "there is no \"keys \(options.operand ?? "")\"; there is keys new")
        }
        file = options["file"]
    }

    func run() throws -> ExitStatus {
        let digits = Hexadecimal.encode(Random.bytes(32))
        guard let file else {
            Terminal.say(digits)
            return .done
        }
        let group = try write(digits + "\n", to: file)
        Terminal.note("made \(file)" + (group.map { ", which the group \($0) can read" } ?? ""))
        return .done
    }

    /// Creates the file with `O_EXCL`: an existing file or link may be a key that seals pending sign-ins.
    /// - Returns: the group that can read the file beside its owner, or nil.
    private func write(_ text: String, to file: String) throws -> String? {
        let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw errno == EEXIST
                ? CommandError("\(file) is there already, and is left as it is: name another file")
                : failure("\(file) cannot be made")
        }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard count == bytes.count, fsync(descriptor) == 0 else {
            let failure = failure("\(file) cannot be written")
            unsafe unlink(file)
            throw failure
        }
        return Self.share(descriptor, in: file.lastIndex(of: "/").map { String(file[...$0]) } ?? ".")
    }

    /// Lets the folder's group read the file, where the folder is not the caller's alone: the gateway's user reads keys that root
    /// makes by that group.
    private static func share(_ descriptor: Int32, in folder: String) -> String? {
        var status = stat()
        guard unsafe stat(folder, &status) == 0, status.st_gid != getegid(),
            status.st_mode & 0o050 != 0, status.st_mode & 0o002 == 0,
            fchown(descriptor, uid_t.max, status.st_gid) == 0, fchmod(descriptor, 0o640) == 0
        else { return nil }
        return unsafe getgrgid(status.st_gid).map { unsafe String(cString: $0.pointee.gr_name) } ?? "\(status.st_gid)"
    }

    private func failure(_ what: String) -> CommandError {
        CommandError("\(what): \(unsafe String(cString: strerror(errno)))")
    }
}
