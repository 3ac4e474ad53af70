internal import Glibc
internal import SwitchyardTLS

/// What a gateway will need of this machine: better known from a check than at its start.
extension DecodingContext {
    /// Whether a TLS listener can show this certificate.
    func canServe(_ files: TLSFiles, at mark: Mark) -> Bool {
        guard looksAtMachine else { return true }
        do {
            let identity = ServerIdentity(certificateChain: files.certificate, privateKey: files.key)
            _ = try ServerContext(identities: [identity], protocols: ServerContext.http1)
            return true
        } catch {
            self.error(
                at: mark, "\(error)", "name a certificate with its chain, and the key that belongs to it, in PEM")
            return false
        }
    }

    /// A PEM file of certificates that are believed in addition.
    func authorities(_ node: YAMLNode) -> String? {
        let remedy = "name a PEM file with certificates of authorities"
        guard let written = text(node, remedy),
            let (path, contents) = contents(of: written, at: node.mark, maximum: Self.maximumPEMSize)
        else { return nil }
        guard looksAtMachine else { return path }
        do {
            _ = try TrustAnchors(pem: [contents.bytes])
            return path
        } catch {
            self.error(at: node.mark, "\(path) cannot be used: \(error)", remedy)
            return nil
        }
    }

    /// A group. One that is missing here is no error: the file may be checked before it is installed, or elsewhere.
    func group(_ node: YAMLNode) -> String? {
        guard let name = text(node) else { return nil }
        if looksAtMachine, unsafe getgrnam(name) == nil {
            warning(
                at: node.mark, "there is no group \"\(name)\" on this machine",
                "make it before the gateway starts, by: groupadd --system \(name), or leave group out")
        }
        return name
    }

    /// The number of a user with this name; nil when there is none.
    static func uid(ofUser name: String) -> UInt32? {
        guard !name.utf8.contains(0), let entry = unsafe getpwnam(name) else { return nil }
        return unsafe entry.pointee.pw_uid
    }

    /// A missing one is no error: a service manager makes such directories at the start.
    func checkDirectory(ofSocket path: String, at mark: Mark) {
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        var information = stat()
        guard looksAtMachine, !directory.isEmpty, unsafe stat(directory, &information) != 0 else { return }
        warning(
            at: mark, "the directory \(directory) does not exist",
            "make it before the gateway starts; RuntimeDirectory= of systemd does")
    }
}
