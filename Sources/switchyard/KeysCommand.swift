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
        "Makes a key for encryption_keys, of 256 random bits: prints it, or writes it into a file that only you can read.",
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
        try write(digits + "\n", to: file)
        Terminal.note("made \(file)")
        return .done
    }

    /// Whatever stands there, a link included, may be what seals somebody's sign-ins.
    private func write(_ text: String, to file: String) throws {
        let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw errno == EEXIST
                ? CommandFailure("\(file) is there already, and is left as it is: name another file")
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
    }

    private func failure(_ what: String) -> CommandFailure {
        CommandFailure("\(what): \(unsafe String(cString: strerror(errno)))")
    }
}
