internal import SwitchyardCOpenSSL

/// The certificates of a file, the server's own first, with the dates and names by which a browser takes or refuses it.
/// Trust in the issuer is judged elsewhere. Safe from any thread.
public struct CertificateChain: Sendable {
    /// The moment from which all of them are valid, in seconds since 1970.
    public let validFrom: Int64
    /// The last moment at which all of them are valid, in seconds since 1970.
    public let validUntil: Int64
    /// The DNS names and addresses that the server's own is for (RFC 5280 section 4.2.1.6), with commas; for people.
    public let names: String
    private let pem: [UInt8]

    /// - Parameter pem: one or more certificates (RFC 7468).
    /// - Throws: ``TLSError`` for an empty list, and for a certificate that cannot be read.
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

    /// The end of a chain.
    public enum Verdict: Hashable, Sendable {
        /// An authority that is believed.
        case believed
        /// Only the certificate itself vouches for it.
        case selfSigned
        /// A certificate between the server's own and an authority is missing.
        case incomplete
        /// An authority that is not believed.
        case unknownAuthority
        /// In OpenSSL's words.
        case unfit(String)
    }

    /// Whether a browser with these authorities would trust it (RFC 5280 section 6), apart from its dates and its
    /// names.
    /// - Parameter authorities: PEM texts, beside those of the system.
    /// - Throws: ``TLSError`` if one of them cannot be read.
    public func verdict(authorities: [[UInt8]] = []) throws(TLSError) -> Verdict {
        let anchors = try TrustAnchors(pem: authorities, includesSystem: true)
        let code = unsafe anchors.withStore { store in unsafe sy_pem_verify(store, pem, pem.count) }
        switch code {
        case X509_V_OK: return .believed
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: return .selfSigned
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN: return .unknownAuthority
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            return unsafe sy_pem_count(pem, pem.count) == 1 ? .incomplete : .unknownAuthority
        default:
            let words = unsafe X509_verify_cert_error_string(Int(code)).map { unsafe String(cString: $0) }
            return .unfit(words ?? "error \(code)")
        }
    }

    /// Whether a browser takes the server's own for a host: by its alternative names only (RFC 9525 section 6.3).
    /// - Parameter host: a DNS name or an address, an IPv6 one with or without brackets.
    public func isFor(host: String) -> Bool {
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        return unsafe sy_pem_is_for(pem, pem.count, name) == 1
    }
}
