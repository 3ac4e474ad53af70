import Glibc
import SwitchyardCrypto
import SwitchyardTLS
import Testing

extension TestCertificates {
    /// A certificate for a client with its key, issued by `issuer`, or self-signed.
    /// - Parameters:
    ///   - days: how long it is valid; a negative number makes one that has expired.
    ///   - usage: its extended key usage; nil for none.
    ///   - isAuthority: whether it may issue others.
    func issued(
        _ name: String, by issuer: CertificateFiles? = nil, days: Int = 2, usage: String? = "clientAuth",
        isAuthority: Bool = false, key: [String] = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    ) throws -> CertificateFiles {
        let identity = CertificateFiles(certificateChain: file("\(name).pem"), privateKey: file("\(name).key"))
        let (request, extensions) = (file("\(name).csr"), file("\(name).cnf"))
        var lines = ["basicConstraints=critical,CA:\(isAuthority ? "TRUE" : "FALSE")"]
        if !isAuthority, let usage { lines.append("extendedKeyUsage=\(usage)") }
        try write(extensions, lines.joined(separator: "\n") + "\n")
        let subject = ["-subj", "/CN=\(name)", "-nodes", "-keyout", identity.privateKey, "-out", request]
        try run(["openssl", "req", "-new", "-newkey"] + key + subject)
        let signer =
            issuer.map {
                [
                    "-CA", $0.certificateChain, "-CAkey", $0.privateKey, "-set_serial",
                    "\(UInt32.random(in: 1...UInt32.max))",
                ]
            }
            ?? ["-signkey", identity.privateKey]
        try run(
            ["openssl", "x509", "-req", "-in", request, "-days", "\(days)", "-extfile", extensions] + signer
                + ["-out", identity.certificateChain])
        return identity
    }

    /// The text of a certificate file.
    func pem(_ identity: CertificateFiles) throws -> [UInt8] {
        Array(try run(["cat", identity.certificateChain]).utf8)
    }

    @discardableResult
    private func run(_ words: [String]) throws -> String {
        let made = try Command.run(words)
        try #require(made.status == 0, "\(made.text)")
        return made.text
    }

    func write(_ path: String, _ text: String) throws {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        try #require(unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    }
}
