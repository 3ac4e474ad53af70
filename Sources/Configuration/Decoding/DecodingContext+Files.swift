internal import SwitchyardCrypto

extension DecodingContext {
    /// The path of a file that must be there and readable, such as a certificate.
    func existingFile(_ node: YAMLNode, holdsSecret: Bool = false) -> String? {
        guard let written = text(node, "write the path of a file"),
            let (path, contents) = contents(of: written, at: node.mark, maximum: Self.maximumPEMSize)
        else { return nil }
        if holdsSecret { warnIfPublic(contents, path, at: node.mark) }
        return path
    }

    /// The secret in the file that `node` names, without the line break that editors leave at the end.
    func secretFile(_ node: YAMLNode) -> Secret? {
        guard let (path, contents) = secretContents(node) else { return nil }
        var bytes = contents[...]
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard !bytes.isEmpty else {
            error(at: node.mark, "the file \(path) is empty", "write the secret into it")
            return nil
        }
        return Secret(Array(bytes))
    }

    /// All of the file of secrets that `node` names.
    func secretContents(_ node: YAMLNode) -> (path: String, bytes: [UInt8])? {
        guard let written = text(node, "write the path of a file"), isAllowed(secret: written, at: node.mark),
            let (path, contents) = contents(of: written, at: node.mark, maximum: Self.maximumSecretSize)
        else { return nil }
        warnIfPublic(contents, path, at: node.mark)
        return (path, contents.bytes)
    }

    static let maximumPEMSize = 1 << 20
    private static let maximumSecretSize = 64 << 10

    func contents(
        of written: String, at mark: Mark, maximum: Int
    ) -> (path: String, contents: FileSystem.Contents)? {
        let path = file.resolve(written)
        do {
            return (path, try FileSystem.read(path, maximum: maximum))
        } catch {
            self.error(
                at: mark, "the file \(path) cannot be read: \(error.reason)",
                "name a file that this user can read; a relative path starts at the directory of this file")
            return nil
        }
    }

    private func warnIfPublic(_ contents: FileSystem.Contents, _ path: String, at mark: Mark) {
        guard contents.isWorldReadable else { return }
        warning(at: mark, "everybody on this machine can read \(path)", "take that away: chmod o-r \(path)")
    }

    /// A team's file must not reach the secrets of others: neither by a path nor by a link out of its directory.
    func isAllowed(secret written: String, at mark: Mark) -> Bool {
        guard case .apps = file.role else { return true }
        if !written.utf8.contains(UInt8(ascii: "/")) {
            // What is not there is reported when it is read.
            guard let target = FileSystem.realPath(file.resolve(written)) else { return true }
            if let home = FileSystem.realPath(file.directory), target.hasPrefix(home + "/") { return true }
        }
        error(
            at: mark, "\"\(written)\" is not beside this file",
            "a file of apps_directory takes secrets and certificates only from its own directory: write the bare name of a file there"
        )
        return false
    }
}
