internal import SwitchyardCOpenSSL

/// A certificate and those that vouch for it, in DER, as a key set names them (RFC 7517 section 4.7). Dates, names and
/// trust are judged elsewhere.
public struct CertificateList: Hashable, Sendable {
    /// At least one; the first is the key's own.
    package let certificates: [[UInt8]]

    /// nil for a text without a certificate that can be read.
    package init?(pem: [UInt8]) {
        var certificates: [[UInt8]] = []
        while certificates.count < Self.longest {
            var der = [UInt8](repeating: 0, count: pem.count)
            let count = unsafe sy_pem_write_der(pem, pem.count, Int32(certificates.count), &der, der.count)
            // DER is shorter than its PEM.
            guard count > 0, count <= der.count else { break }
            certificates.append(Array(der.prefix(count)))
        }
        guard !certificates.isEmpty else { return nil }
        self.certificates = certificates
    }

    /// The digest of the key's own certificate (`x5t#S256`, RFC 7517 section 4.9).
    package var thumbprint: SHA256Digest { SHA256Digest(of: certificates[0]) }

    /// No chain that is used has more.
    private static let longest = 16
}
