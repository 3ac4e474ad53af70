internal import Glibc
internal import SwitchyardCrypto
internal import SwitchyardFiles
internal import SwitchyardJOSE
internal import SwitchyardJSON

/// `switchyard keys new`: a fresh encryption key, or a fresh key with which a client signs.
struct KeysCommand: Command {
    static let name = "keys"
    static let summary = "make an encryption key or a signing key"
    static let options: [Option] = [
        .file("file", "write it there; a file that is there already is left alone"),
        .word("kind", "KIND", of: Kind.allCases.map(\.rawValue), "what the key is for: encryption by default"),
        .word(
            "algorithm", "NAME", of: SigningKey.Kind.allCases.map(\.rawValue),
            "of a signing key: ES256 by default, which every issuer with private_key_jwt should take"),
    ]
    static let operands = Operands.one("new", words: ["new"])
    static let help = Help(
        """
        Makes a key and prints it, or writes it into a file that only you can read, in a folder of a group you and that group.

        Kind encryption: 256 random bits for encryption_keys. Kind signing: a private key for the signing_keys of an app, by \
        which it authenticates (private_key_jwt) and signs requests. The command then says what to write into the \
        configuration, and prints the public half for the issuer.
        """,
        """
        To change encryption keys without losing a sign-in: make a new one, put it in front of encryption_keys, `switchyard \
        reload`. What is new is sealed with it, what is older still opens. Take the old one out after twice request_lifetime \
        (with resources: later, since registered clients are sealed with it until their next token), and reload. With several gateways on one store, first give all of them the new key behind the old one, then move it in \
        front.

        To change signing keys: put the new one second in signing_keys, reload, and wait an hour, until the issuers' caches of \
        /clients/ID/keys have ended; then put it first and reload. Take the old one out an hour later. Where the issuer has \
        the keys by value, register the new one before it stands first.
        """,
        examples: [
            "switchyard keys new --file /etc/switchyard/keys/k2",
            "switchyard keys new --kind signing --file /etc/switchyard/keys/mail.pem",
        ])

    private enum Kind: String, CaseIterable { case encryption, signing }

    private let file: String?
    private let kind: Kind
    private let algorithm: SigningKey.Kind

    init(_ options: Options) throws {
        guard options.operand == "new" else {
            throw UsageError(message: "there is no \"keys \(options.operand ?? "")\"; there is keys new")
        }
        file = options["file"]
        kind = try Self.choice("kind", in: options) ?? .encryption
        if kind == .encryption, options["algorithm"] != nil {
            throw UsageError(message: "--algorithm is for --kind signing only")
        }
        algorithm = try Self.choice("algorithm", in: options) ?? .p256
    }

    private static func choice<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String, in options: Options
    ) throws -> Word? {
        guard let text = options[name] else { return nil }
        if let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError(message: "--\(name) is \(text), and takes: \(words)")
    }

    func run() throws -> ExitStatus {
        switch kind {
        case .encryption: try keep(Hexadecimal.encode(Random.bytes(32)) + "\n")
        case .signing:
            guard let key = SigningKey(generating: algorithm), let pem = key.pem else {
                throw CommandError("OpenSSL cannot make a key")
            }
            try keep(pem.exposedText)
            say(key)
        }
        return .done
    }

    /// Prints a key, or writes it into the file.
    private func keep(_ text: String) throws {
        guard let file else {
            // It ends with a line break of its own.
            Terminal.say(String(text.dropLast()))
            return
        }
        let group = try write(text, to: file)
        Terminal.note("made \(file)" + (group.map { ", which the group \($0) can read" } ?? ""))
    }

    /// The advice for a signing key. The public half goes to the standard output if the private one did not.
    private func say(_ key: SigningKey) {
        let file = file ?? "FILE"
        let set = JSONValue.object(["keys": [.object(key.published)]]).serialized
        Terminal.note(
            """
            write into the app:
              token_endpoint_auth_method: private_key_jwt
              signing_keys: [{ id: "\(key.id)", key_file: "\(file)" }]
            register at the issuer: the method private_key_jwt (\(algorithm.rawValue)), and as jwks_uri the address that \
            `switchyard check` then prints; or, where it takes keys by value, this public key set (jwks):
            """)
        if self.file == nil {
            Terminal.note(String(decoding: set, as: UTF8.self))
        } else {
            Terminal.say(String(decoding: set, as: UTF8.self))
        }
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
