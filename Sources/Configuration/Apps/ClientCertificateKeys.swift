internal import SwitchyardCrypto
internal import SwitchyardTLS
internal import SwitchyardText

extension AppDecoder {
    /// The certificate of `tls_client_certificate` with the key of `tls_client_key` (RFC 8705 section 2); nil when one of
    /// them is missing or wrong, which is reported.
    func clientCertificate() -> TLSClientCertificate? {
        let chain = reader.required(.tlsClientCertificate, Self.remedy)
            .flatMap { context.contents($0, maximum: DecodingContext.maximumPEMSize) }
        let key = reader.required(.tlsClientKey, Self.remedy).flatMap { context.privateKeyFile($0) }
        guard let chain, let key else { return nil }
        do throws(TLSClientCertificate.Flaw) {
            let certificate = try TLSClientCertificate(chain: chain.contents.bytes, privateKey: key)
            judgeDates(of: chain.contents.bytes, chain.path)
            return certificate
        } catch {
            context.error(at: reader.mark(of: error.key), "\(error.words)", Self.remedy)
            return nil
        }
    }

    private static let remedy =
        "name a certificate in PEM with its chain (tls_client_certificate), and the key that belongs to it (tls_client_key)"

    /// Reports a certificate that issuers refuse at this time.
    private func judgeDates(of pem: [UInt8], _ path: String) {
        guard let machine = context.machine, let chain = try? CertificateChain(pem: pem) else { return }
        let mark = reader.mark(of: .tlsClientCertificate)
        if chain.validUntil <= machine.now {
            context.report(
                machine.expiredCertificate, at: mark,
                "the client certificate \(path) expired on \(HTTPDate.format(chain.validUntil)): issuers refuse it",
                "renew it, register it if the issuer knows it by its registration, then reload the gateway")
        } else if chain.validFrom > machine.now {
            context.report(
                machine.expiredCertificate, at: mark,
                "the client certificate \(path) is not valid before \(HTTPDate.format(chain.validFrom)): issuers refuse it",
                "look at this machine's clock, or use the one before until then")
        }
    }
}

extension TLSClientCertificate.Flaw {
    /// The key of the configuration that names the faulty file.
    fileprivate var key: AppKey {
        switch self {
        case .unreadableCertificate: .tlsClientCertificate
        case .unreadableKey, .weakKey, .anotherKey: .tlsClientKey
        }
    }

    fileprivate var words: String {
        switch self {
        case .unreadableCertificate: "no certificate in PEM"
        case .unreadableKey: "no private key in PEM without a password"
        case .weakKey: "a weak key: RSA needs 2048 bits or more"
        case .anotherKey: "the private key does not belong to the certificate of tls_client_certificate"
        }
    }
}
