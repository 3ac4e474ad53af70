internal import Glibc
internal import SwitchyardFiles
internal import SwitchyardText

/// The machine that a configuration is for. A check shows problems with it before the gateway starts.
struct Machine {
    /// In seconds since 1970.
    var now = WallTime.now().seconds
    /// The severity of a certificate that browsers refuse by its dates.
    var expiredCertificate = Diagnostic.Severity.error
    /// Folders that a service manager makes before the gateway starts.
    var managedFolders: Set<String> = []
    /// Whether a key file of this user's that others can read is closed to them.
    var repairsKeyFiles = false
}

extension DecodingContext {
    /// A group. One that is missing here is no error: the file may be checked before it is installed, or elsewhere.
    func group(_ node: YAMLNode) -> String? {
        guard let name = text(node) else { return nil }
        if machine != nil, unsafe getgrnam(name) == nil {
            warning(
                at: node.mark, "there is no group \"\(name)\" on this machine",
                "make it before the gateway starts, by: groupadd --system \(name), or leave group out")
        }
        return name
    }

    /// A missing one is no error: a service manager makes such directories at the start.
    func checkDirectory(ofSocket path: String, at mark: Mark) {
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        guard let machine, !directory.isEmpty, !machine.managedFolders.contains(directory),
            !FilePath.exists(directory)
        else { return }
        warning(
            at: mark, "the directory \(directory) does not exist",
            "make it before the gateway starts; RuntimeDirectory= of systemd does")
    }
}
