internal import SwitchyardCOpenSSL

/// What the certificates of a file say of themselves, the server's own first: the dates and names by which a browser takes
/// or refuses it. Whether anybody believes who issued it is another question. Safe from any thread.
public struct CertificateChain: Sendable {
    /// The moment from which all of them are valid, in seconds since 1970.
    public let validFrom: Int64
    /// The last moment at which all of them are valid, in seconds since 1970.
    public let validUntil: Int64
    /// The DNS names and addresses that the server's own is for (RFC 5280 section 4.2.1.6), with commas; for people.
    public let names: String
    private let pem: [UInt8]

    /// - Parameter pem: one or more certificates (RFC 7468).
    /// - Throws: ``TLSError`` when there is none, or one that cannot be read.
    public init(pem: [UInt8]) throws(TLSError) {
        ERR_clear_error()
        var (from, until): (Int64, Int64) = (0, 0)
        switch unsafe sy_pem_read_dates(pem, pem.count, &from, &until) {
        case ..<0: throw TLSError("a certificate cannot be read")
        case 0: throw TLSError("there is no certificate in it", reasons: [])
        default: break
        }
        (validFrom, validUntil) = (from, until)
        var buffer = [CChar](repeating: 0, count: 1024)
        let count = unsafe sy_pem_write_names(pem, pem.count, &buffer, buffer.count)
        names = String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
        self.pem = pem
    }

    /// Whether a browser takes the server's own for a host: by its alternative names only (RFC 9525 section 6.3).
    /// - Parameter host: a DNS name or an address, an IPv6 one with or without brackets.
    public func isFor(host: String) -> Bool {
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        return unsafe sy_pem_is_for(pem, pem.count, name) == 1
    }
}
