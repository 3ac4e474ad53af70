internal import Glibc
internal import SwitchyardCOpenSSL
public import SwitchyardCrypto

/// A certificate for `localhost` and its authority, made in memory for one run. They are gone when this object is.
///
/// Libraries want paths, so each is a file in memory, and its path leads to this process's descriptor.
public final class TemporaryCertificates: Sendable {
    /// The path of the authority's certificate.
    public let authority: String
    /// The server's certificate and key.
    public let identity: CertificateFiles
    private let descriptors: [Int32]

    public init() throws(TLSError) {
        ERR_clear_error()
        var files: (authority: Int32, certificate: Int32, key: Int32) = (-1, -1, -1)
        let isMade = unsafe sy_make_certificates(&files.authority, &files.certificate, &files.key) == 1
        descriptors = [files.authority, files.certificate, files.key]
        authority = Self.path(files.authority)
        identity = CertificateFiles(
            certificateChain: Self.path(files.certificate), privateKey: Self.path(files.key))
        guard isMade else { throw TLSError("a certificate cannot be made") }
    }

    deinit {
        for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
    }

    private static func path(_ descriptor: Int32) -> String { "/proc/\(getpid())/fd/\(descriptor)" }
}
