internal import Glibc
internal import SwitchyardCrypto
internal import SwitchyardFiles

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
        do throws(FileError) {
            let folder = try Folder(of: file)
            let made = try folder.create(FilePath.name(of: file), with: Array(text.utf8), isDurable: true)
            return Self.share(made, in: folder)
        } catch {
            throw error.code == EEXIST
                ? CommandError("\(file) is there already, and is left as it is: name another file")
                : CommandError("\(file) cannot be made: \(error.reason)")
        }
    }

    /// Lets the folder's group read the file, where the folder is not the caller's alone: the gateway's user reads keys that root
    /// makes by that group.
    private static func share(_ file: borrowing OpenFile, in folder: Folder) -> String? {
        let permissions = folder.permissions
        let group = permissions.group
        guard group != getegid(), permissions.mode & 0o050 != 0, !permissions.isWorldWritable,
            fchown(file.descriptor, uid_t.max, group) == 0, fchmod(file.descriptor, 0o640) == 0
        else { return nil }
        return unsafe getgrgid(group).map { unsafe String(cString: $0.pointee.gr_name) } ?? "\(group)"
    }
}
