import SwitchyardCrypto
import SwitchyardTLS
import Testing

/// Self-signed certificates that a test makes for itself.
final class TestCertificates {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// A P-256 key with a certificate for one name, which is also its subject.
    func identity(_ name: String) throws -> CertificateFiles {
        let file = name.replacing("*", with: "any")
        let identity = CertificateFiles(
            certificateChain: directory.file("\(file).pem"), privateKey: directory.file("\(file).key"))
        let made = try Command.run([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:\(name)", "-keyout", identity.privateKey, "-out",
            identity.certificateChain,
        ])
        try #require(made.status == 0, "\(made.text)")
        return identity
    }

    func context(_ names: String...) throws -> ServerContext {
        try ServerContext(identities: try names.map { try identity($0) }, protocols: ["http/1.1"])
    }

    /// A path in the same directory.
    func file(_ name: String) -> String { directory.file(name) }
}
