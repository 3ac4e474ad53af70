internal import Glibc
internal import SwitchyardCrypto
internal import SwitchyardFiles
internal import SwitchyardTLS

/// The certificates of the demo: those of a folder, or new ones in memory.
package struct DemoCertificates: Sendable {
    /// The path of the authority's certificate.
    package let authority: String
    let identity: CertificateFiles
    /// Keeps the files in memory; nil for files.
    private let temporary: TemporaryCertificates?

    private static let usualFolder = "certs/dev"

    /// - Parameter folder: as the user gave it; nil for the usual one if it is there.
    package init(in folder: String?) throws {
        let path = folder ?? Self.usualFolder
        let missing = ["ca.pem", "server.pem", "server.key"].first { !FilePath.isReadable("\(path)/\($0)") }
        if let missing, folder != nil {
            throw DemoError(
                "there is no \(path)/\(missing)",
                hint: "leave --certificates out, and the demo makes its own in memory")
        }
        guard missing != nil else {
            authority = "\(path)/ca.pem"
            identity = CertificateFiles(
                certificateChain: "\(path)/server.pem", privateKey: "\(path)/server.key")
            temporary = nil
            return
        }
        let temporary = try TemporaryCertificates()
        (authority, identity) = (temporary.authority, temporary.identity)
        self.temporary = temporary
    }

    /// The authority, as a person is told it.
    var shown: String { temporary == nil ? authority : "a certificate in memory, for this run" }
}
