internal import SwitchyardCrypto
internal import SwitchyardTLS
internal import SwitchyardText

extension AppDecoder {
    /// The certificate of `tls_client_certificate` with the key of `tls_client_key` (RFC 8705 section 2); nil when one of
    /// them is missing or wrong, which is reported.
    func clientCertificate() -> TLSClientCertificate? {
        context.clientCertificate(reader, .tlsClientCertificate, .tlsClientKey)
    }
}

extension DecodingContext {
    /// - Parameters:
    ///   - certificate: the key that names the file with the certificate.
    ///   - privateKey: the key that names the file with its private key.
    func clientCertificate<Key>(
        _ reader: MappingReader<Key>, _ certificate: Key, _ privateKey: Key
    ) -> TLSClientCertificate? {
        let chain = reader.required(certificate, Self.remedy).flatMap { contents($0, maximum: Self.maximumPEMSize) }
        let key = reader.required(privateKey, Self.remedy).flatMap { privateKeyFile($0) }
        guard let chain, let key else { return nil }
        do throws(TLSClientCertificate.Flaw) {
            let found = try TLSClientCertificate(chain: chain.contents.bytes, privateKey: key)
            judgeDates(of: chain.contents.bytes, chain.path, at: reader.mark(of: certificate))
            return found
        } catch {
            self.error(
                at: reader.mark(of: error.isOfCertificate ? certificate : privateKey), "\(error.words)", Self.remedy)
            return nil
        }
    }

    private static let remedy =
        "name a certificate in PEM with its chain (tls_client_certificate), and the key that belongs to it (tls_client_key)"

    /// Reports a certificate that issuers refuse at this time.
    private func judgeDates(of pem: [UInt8], _ path: String, at mark: Mark) {
        guard let machine, let chain = try? CertificateChain(pem: pem) else { return }
        if chain.validUntil <= machine.now {
            report(
                machine.expiredCertificate, at: mark,
                "the client certificate \(path) expired on \(HTTPDate.format(chain.validUntil)): issuers refuse it",
                "renew it, register it if the issuer knows it by its registration, then reload the gateway")
        } else if chain.validFrom > machine.now {
            report(
                machine.expiredCertificate, at: mark,
                "the client certificate \(path) is not valid before \(HTTPDate.format(chain.validFrom)): issuers refuse it",
                "look at this machine's clock, or use the one before until then")
        }
    }
}

extension TLSClientCertificate.Flaw {
    /// Whether the file with the certificate is faulty, and not that with the key.
    fileprivate var isOfCertificate: Bool { self == .unreadableCertificate }

    fileprivate var words: String {
        switch self {
        case .unreadableCertificate: "no certificate in PEM"
        case .unreadableKey: "no private key in PEM without a password"
        case .weakKey: "a weak key: RSA needs 2048 bits or more"
        case .anotherKey: "the private key does not belong to the certificate of tls_client_certificate"
        }
    }
}
